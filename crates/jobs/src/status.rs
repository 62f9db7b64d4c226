use serde::{Deserialize, Serialize};

/// Where a job stands.
///
/// ```text
///            create                    claim             start
///   blocked <------> queued ------------------> leased --------> running
///                       ^                          |               |
///                       |   due           fail, recover            | complete
///                   retryable <--------------------+---------------+----------> succeeded
///                                                  |               |
///                    failed, timed_out, cancelled <+---------------+
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A gate or admission refused it; no worker may have it.
    Blocked,
    /// It waits for a worker.
    Queued,
    /// A worker holds it and has not started.
    Leased,
    /// A worker holds it and has started.
    Running,
    /// It waits for its next attempt to become due.
    Retryable,
    /// Its work was done.
    Succeeded,
    /// It was given up.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// Its last attempt was lost.
    TimedOut,
}

impl Status {
    /// Every status, in the order of their declaration.
    pub const ALL: [Self; 9] = [
        Self::Blocked,
        Self::Queued,
        Self::Leased,
        Self::Running,
        Self::Retryable,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
        Self::TimedOut,
    ];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Queued => "queued",
            Self::Leased => "leased",
            Self::Running => "running",
            Self::Retryable => "retryable",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
        }
    }

    /// Whether a worker holds the job.
    pub const fn is_held(self) -> bool {
        matches!(self, Self::Leased | Self::Running)
    }

    /// Whether the job counts against admission limits.
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Queued | Self::Retryable | Self::Leased | Self::Running)
    }

    /// Whether nothing can happen to the job any more. A blocked job is parked, not final.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled | Self::TimedOut)
    }
}

/// A set of statuses, for guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusSet(u16);

impl StatusSet {
    /// Leased or running.
    pub const HELD: Self = Self::of(&[Status::Leased, Status::Running]);

    /// The set of these statuses.
    pub const fn of(statuses: &[Status]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < statuses.len() {
            bits |= 1 << statuses[index] as u16;
            index += 1;
        }
        Self(bits)
    }

    /// Whether the set holds this status.
    pub const fn has(self, status: Status) -> bool {
        self.0 & (1 << status as u16) != 0
    }
}
