use crate::{OfferId, Record, RecoveryReason, Session, State, Text};
use holdover_machine::Timestamp;
use serde::{Serialize, Serializer};

/// Whether this worker may still act for the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// It may.
    Current,
    /// The lease belongs to another session.
    SessionFenced,
    /// The session is offline.
    WorkerOffline,
    /// The session is over.
    WorkerSessionExpired,
    /// The lease is over.
    RunLeaseExpired,
}

impl Authority {
    /// The first thing that stands against it, if any.
    pub fn of(record: &Record, session: &Session, now: Timestamp) -> Self {
        if !session.is(&record.offer.worker) {
            Self::SessionFenced
        } else if session.status == crate::SessionStatus::Offline {
            Self::WorkerOffline
        } else if session.expired(now) {
            Self::WorkerSessionExpired
        } else if record.offer.lease.expired(now) {
            Self::RunLeaseExpired
        } else {
            Self::Current
        }
    }
}

/// What the evidence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// The process ended and left an authentic receipt.
    CompletionObserved,
    /// There is a receipt which is not of this process.
    CompletionReceiptConflict,
    /// Whether there is a receipt cannot be told.
    CompletionReceiptUnavailable,
    /// The record says that no process can exist.
    NoExecutionExpected,
    /// A process may exist, and nothing is known to look for it by.
    LaunchOutcomeUnknown,
    /// The process runs.
    ExecutionRunning,
    /// The recorded handle names nothing.
    ExecutionHandleInvalid,
    /// The handle names another process now.
    ExecutionIdentityMismatch,
    /// This platform cannot probe.
    ExecutionProbeUnsupported,
    /// The probe failed.
    ExecutionProbeUnavailable,
    /// The process ended and left no receipt.
    ExecutionExitedWithoutReceipt,
}

/// Whether an observed completion may be told to the control plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Submission {
    /// It may.
    Ready,
    /// The control plane knows the attempt as ended.
    BlockedControlPlaneTerminal,
    /// This worker may not act.
    Blocked(Authority),
}

impl Submission {
    pub(super) fn of(record: &Record, authority: Authority) -> Self {
        match authority {
            _ if record.recovery_reason == Some(RecoveryReason::ControlPlaneTerminal) => {
                Self::BlockedControlPlaneTerminal
            }
            Authority::Current => Self::Ready,
            fenced => Self::Blocked(fenced),
        }
    }

    /// The name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::BlockedControlPlaneTerminal => "blocked_control_plane_terminal",
            Self::Blocked(Authority::Current) => "blocked_current",
            Self::Blocked(Authority::SessionFenced) => "blocked_session_fenced",
            Self::Blocked(Authority::WorkerOffline) => "blocked_worker_offline",
            Self::Blocked(Authority::WorkerSessionExpired) => "blocked_worker_session_expired",
            Self::Blocked(Authority::RunLeaseExpired) => "blocked_run_lease_expired",
        }
    }
}

impl Serialize for Submission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// With exit code 0.
    Succeeded,
    /// In any other way.
    Failed,
}

/// The end of a process, as the control plane is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionResult {
    /// How it ended.
    pub outcome: Outcome,
    /// When it started.
    #[serde(rename = "startedAtMs")]
    pub started_at: Timestamp,
    /// When it ended.
    #[serde(rename = "finishedAtMs")]
    pub finished_at: Timestamp,
    /// Its exit code, if it exited by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
}

/// An authentic receipt without its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObservedCompletion {
    /// Which callback of the attempt it is.
    pub callback_sequence: u64,
    /// The end of the process.
    #[serde(flatten)]
    pub result: CompletionResult,
}

/// What was found out about one record, without acting on it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The offer.
    pub offer_id: OfferId,
    /// Its attempt.
    pub attempt_id: Text,
    /// The state of the record.
    pub state: State,
    /// When the search began.
    #[serde(rename = "observedAtMs")]
    pub observed_at: Timestamp,
    /// Whether this worker may still act.
    pub authority: Authority,
    /// What the evidence says.
    pub finding: Finding,
    /// How often the receipt was looked for.
    pub receipt_checks: u32,
    /// How often the process was probed.
    pub process_checks: u32,
    /// The process id that the probe saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity_pid: Option<u64>,
    /// Whether the completion may be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_submission: Option<Submission>,
    /// The completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion: Option<ObservedCompletion>,
}
