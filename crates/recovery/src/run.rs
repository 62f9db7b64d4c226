use holdover_machine::Timestamp;
use serde::{Deserialize, Serialize};

/// What the pass uses of a run's record.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// The run.
    pub id: String,
    /// Which engine may touch the run.
    pub execution_owner: ExecutionOwner,
    /// Where the run stands.
    pub status: RunStatus,
    /// Moves with every change of the aggregate, so a writer can tell whether it saw the latest.
    pub version: u64,
    /// The number of the run's last event.
    pub event_sequence: u64,
    /// When the run was created.
    #[serde(rename = "createdAtMs")]
    pub created_at: Timestamp,
    /// When the run started.
    #[serde(rename = "startedAtMs", default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When somebody asked for the run to be cancelled.
    #[serde(rename = "cancelRequestedAtMs", default, skip_serializing_if = "Option::is_none")]
    pub cancel_requested_at: Option<Timestamp>,
    /// Why it should be cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_reason: Option<String>,
}

/// The engine that owns the execution of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionOwner {
    /// The runtime whose start this pass guards.
    Runtime,
    /// The engine before it, whose runs are never touched.
    Legacy,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Recorded, nothing decided yet.
    Created,
    /// Waiting for its turn.
    Queued,
    /// Being handed out.
    Dispatching,
    /// Its steps are being worked on; the only status that the pass touches.
    Running,
    /// Waiting for somebody's decision.
    WaitingApproval,
    /// Waiting for the time of a retry.
    RetryWait,
    /// Its execution was lost.
    Lost,
    /// Ended well.
    Succeeded,
    /// Ended badly.
    Failed,
    /// Ended by a cancel request.
    Cancelled,
    /// Ended by its deadline.
    TimedOut,
}
