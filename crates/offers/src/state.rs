use serde::{Deserialize, Serialize};
use std::fmt;

/// How far an offer has come, as far as the journal knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The offer is durable, nothing has been acknowledged.
    Accepted,
    /// The control plane has recorded *starting*.
    StartingAcknowledged,
    /// The start barrier is crossed, the outcome is not recorded.
    Launching,
    /// The process is recorded, the control plane has not been told.
    Started,
    /// The control plane has recorded *running*.
    RunningAcknowledged,
    /// A definite failure is recorded, the control plane has not been told.
    StartFailed,
    /// Settled: the control plane knows of the failure.
    StartFailureAcknowledged,
    /// Settled: the control plane knows of the completion.
    CompletionAcknowledged,
    /// Only the recovery path may act.
    RecoveryRequired,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 9] = [
        Self::Accepted,
        Self::StartingAcknowledged,
        Self::Launching,
        Self::Started,
        Self::RunningAcknowledged,
        Self::StartFailed,
        Self::StartFailureAcknowledged,
        Self::CompletionAcknowledged,
        Self::RecoveryRequired,
    ];

    /// The name on the wire and on disk.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::StartingAcknowledged => "starting_acknowledged",
            Self::Launching => "launching",
            Self::Started => "started",
            Self::RunningAcknowledged => "running_acknowledged",
            Self::StartFailed => "start_failed",
            Self::StartFailureAcknowledged => "start_failure_acknowledged",
            Self::CompletionAcknowledged => "completion_acknowledged",
            Self::RecoveryRequired => "recovery_required",
        }
    }

    /// Whether a local process may exist that this record owns.
    pub const fn may_own_process(self) -> bool {
        matches!(self, Self::Launching | Self::Started | Self::RunningAcknowledged | Self::RecoveryRequired)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why only the recovery path may act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryReason {
    /// The start barrier was crossed and nobody knows what followed.
    LaunchOutcomeUnknown,
    /// The control plane knows a running process that this worker has not recorded.
    ControlPlaneAlreadyRunning,
    /// The attempt has ended for the control plane.
    ControlPlaneTerminal,
    /// The lease was lost and the process was stopped.
    LeaseLostLocalExecutionStopped,
    /// The lease was lost and nobody knows whether a process is left.
    LeaseLostLocalExecutionUnverified,
}
