use serde::{Deserialize, Serialize};

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Being prepared.
    Creating,
    /// Prepared; its subscriber is awaited until a deadline.
    Accepted,
    /// Executing, or being abandoned.
    Running,
    /// Ended well.
    Completed,
    /// Ended badly.
    Failed,
    /// Ended by a cancel.
    Cancelled,
}

impl Phase {
    /// Whether the run has ended.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// Where a run stands, as its owner sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It has not ended.
    Running,
    /// Ended well.
    Completed,
    /// Ended badly.
    Failed,
    /// Ended by a cancel.
    Cancelled,
}

impl RunStatus {
    /// The terminal phase of this status, if it is one of an ended run.
    pub(crate) fn terminal_phase(self) -> Option<Phase> {
        match self {
            Self::Running => None,
            Self::Completed => Some(Phase::Completed),
            Self::Failed => Some(Phase::Failed),
            Self::Cancelled => Some(Phase::Cancelled),
        }
    }
}
