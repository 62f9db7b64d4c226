use crate::{Attempt, EventIds, PassError, Run, Summary};
use holdover_machine::{Secret, Span, Timestamp};

/// Everything that a pass can want done. No effect starts or stops a process, and there is never more than one
/// outstanding.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Effect {
    /// List the candidates in page order.
    List {
        /// How many at most.
        limit: usize,
    },
    /// Read run and attempt in one transaction.
    Load {
        /// The run.
        run_id: String,
        /// The attempt.
        attempt_id: String,
    },
    /// Process the attempt's published receipt, if there is one. Durable.
    Process {
        /// The attempt.
        attempt_id: String,
    },
    /// Settle an attempt that nothing carries out, if its record is still the one given. Durable.
    Recover(Box<Recover>),
    /// Look for the process behind a handle.
    Inspect {
        /// The handle.
        executor_handle: Secret<String>,
    },
    /// Draw the ids of the two events that the following recording writes.
    DrawIds,
    /// Record that a started attempt runs, if its record is still the one given. Durable.
    RecordRunning(Box<RecordRunning>),
    /// Let some time pass.
    Wait(Span),
    /// The pass is over; nothing follows.
    Finish(Result<Summary, PassError>),
}

/// The arguments of [`Effect::Recover`]: the aggregate that the pass saw, and why it is settled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Recover {
    /// The run as it was read.
    pub run: Run,
    /// The attempt as it was read.
    pub attempt: Attempt,
    /// Why the attempt is settled.
    pub reason: RecoverReason,
    /// When it was seen that nothing carries it out; never before the attempt was created or started.
    pub observed_at: Timestamp,
}

/// Why an attempt is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecoverReason {
    /// It was claimed and never started.
    UnstartedClaimExpired,
    /// Its process is gone.
    ExecutionNotRunning,
}

impl RecoverReason {
    /// The reason's name in records and calls.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnstartedClaimExpired => "unstarted_claim_expired",
            Self::ExecutionNotRunning => "execution_not_running",
        }
    }
}

/// The arguments of [`Effect::RecordRunning`]: the aggregate that the pass saw, and the process that was found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RecordRunning {
    /// The run as it was read.
    pub run: Run,
    /// The attempt as it was read.
    pub attempt: Attempt,
    /// The hash of the attempt's callback token.
    pub callback_token_hash: Secret<String>,
    /// The handle of the process.
    pub executor_handle: Secret<String>,
    /// The process.
    pub pid: i64,
    /// When it was seen to run; never before the attempt was created.
    pub started_at: Timestamp,
    /// The ids of the events to write.
    pub event_ids: EventIds,
}
