use holdover_machine::{Secret, Timestamp};
use serde::{Deserialize, Serialize};

/// What the pass uses of an attempt's record. It holds evidence and secrets, so it cannot be serialized.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// The attempt.
    pub id: String,
    /// The run that it belongs to.
    pub run_id: String,
    /// The workflow step that it carries out; other attempts have none.
    #[serde(default)]
    pub step_run_id: Option<String>,
    /// Where the attempt stands.
    pub status: AttemptStatus,
    /// What kind of executor carries it out.
    pub executor_type: String,
    /// The executor's durable reference of the process.
    #[serde(default)]
    pub executor_handle: Option<Secret<String>>,
    /// The process that the handle stood for when it was recorded.
    #[serde(default)]
    pub pid: Option<i64>,
    /// The hash of the token that authenticates completions, as 64 hex digits.
    #[serde(default)]
    pub callback_token_hash: Option<Secret<String>>,
    /// The number of the last completion that was taken.
    pub callback_sequence: u64,
    /// When the attempt was created.
    #[serde(rename = "createdAtMs")]
    pub created_at: Timestamp,
    /// When its process was recorded as running.
    #[serde(rename = "startedAtMs", default)]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[serde(rename = "finishedAtMs", default)]
    pub finished_at: Option<Timestamp>,
}

/// Where an attempt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptStatus {
    /// Taken by a dispatcher; nothing was started.
    Claimed,
    /// Past the start barrier: a process may exist from here on.
    Starting,
    /// Its process is recorded.
    Running,
    /// Ended well.
    Succeeded,
    /// Ended badly.
    Failed,
    /// Ended by a cancel request.
    Cancelled,
    /// Ended by its deadline.
    TimedOut,
    /// Ended because its process was found gone.
    Lost,
}

impl AttemptStatus {
    /// Whether the attempt has not ended.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Claimed | Self::Starting | Self::Running)
    }
}

/// The process that an attempt is said to run as.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    pub(crate) handle: Secret<String>,
    pub(crate) pid: i64,
}

impl Attempt {
    /// The recorded process, if it is recorded in full: a handle and a positive pid.
    pub(crate) fn identity(&self) -> Option<Identity> {
        let handle = self.executor_handle.clone().filter(|handle| !handle.expose().is_empty())?;
        let pid = self.pid.filter(|pid| *pid >= 1)?;
        Some(Identity { handle, pid })
    }
}
