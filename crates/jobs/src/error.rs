use crate::{JobId, Status};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A refusal that a caller sees: a code for programs, a status as HTTP has them, a message for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An argument has the wrong type.
    #[error("Executor request is invalid: {member} must be {wanted}")]
    RequestInvalid {
        /// The member, as a path from the top of the arguments.
        member: String,
        /// What would be right.
        wanted: &'static str,
    },
    /// A create without a job id after trimming.
    #[error("Executor job requires jobId")]
    JobIdRequired,
    /// A create with a job id outside the alphabet or too long.
    #[error("Executor jobId must be a safe identifier no longer than 128 characters")]
    JobIdInvalid,
    /// A create without an idempotency key.
    #[error("Executor job requires idempotencyKey")]
    KeyRequired,
    /// A create whose idempotency key is too long to be kept whole.
    #[error("Idempotency key exceeds {max} characters")]
    KeyTooLong {
        /// The most UTF-16 units of a key.
        max: usize,
    },
    /// A create without a usable executor id.
    #[error("Executor job requires executor")]
    ExecutorRequired,
    /// A create without an instruction.
    #[error("Executor job requires instruction")]
    InstructionRequired,
    /// A text or container of a create is over its limit.
    #[error("Executor request is too large: {member} exceeds {max}")]
    RequestTooLarge {
        /// The member, as a path from the top of the request.
        member: &'static str,
        /// The limit, in UTF-16 units for texts and bytes for metadata.
        max: usize,
    },
    /// A worker operation with an unusable identifier.
    #[error("{} must be a safe identifier no longer than 128 characters", .0.name())]
    IdentifierInvalid(Identifier),
    /// A claim that names no executor.
    #[error("Worker claim requires at least one executor")]
    ExecutorsRequired,
    /// A progress event whose type is outside the namespace.
    #[error("Progress event type must use the executor_job_ namespace")]
    ProgressTypeInvalid,
    /// A progress event that would speak in the system's name.
    #[error("Progress event type is reserved: {0}")]
    ProgressTypeReserved(String),
    /// Progress data or metrics over their size.
    #[error("Executor event data exceeds {max} bytes")]
    EventDataTooLarge {
        /// The limit in bytes.
        max: usize,
    },
    /// The key belongs to a job whose request was another.
    #[error("Idempotency key already belongs to executor job {0}")]
    KeyConflict(JobId),
    /// The job id is taken under another key.
    #[error("Executor job id already exists: {0}")]
    JobIdConflict(JobId),
    /// A store refusal of a worker operation.
    #[error("Cannot {action} executor job: {reason}", action = .action.verb(), reason = .reason.name())]
    Refused {
        /// What was tried.
        action: Action,
        /// Why not.
        reason: Refusal,
        /// The job's status, where there is a job.
        current: Option<Status>,
    },
    /// A claim with a number below the last one of its worker process.
    #[error("Claim {number} was overtaken by claim {last} of the same worker process")]
    ClaimStale {
        /// The number of the claim.
        number: u64,
        /// The last number that was used.
        last: u64,
    },
    /// A repeated claim whose grant has ended.
    #[error("Claim {number} was granted and is over")]
    ClaimOver {
        /// The number of the claim.
        number: u64,
    },
    /// An event cursor beyond the end of the log.
    #[error("Event cursor {cursor} lies beyond the log's last event {last}")]
    CursorBeyondEnd {
        /// The cursor that was given.
        cursor: u64,
        /// The last sequence number of the log.
        last: u64,
    },
    /// A call to an adapter that only declares a contract.
    #[error("Executor adapter {0} is contract-only and cannot dispatch")]
    AdapterDisabled(String),
    /// A call to an adapter whose jobs are handed out by claims.
    #[error("Executor adapter {0} is dispatched through the worker claim protocol")]
    WorkerClaimRequired(String),
    /// The store certainly did not carry the call out.
    #[error("Executor store is unavailable: {0}")]
    StoreUnavailable(String),
    /// The store may or may not have carried the call out; only an idempotent repeat can tell.
    #[error("Executor store outcome is unknown: {0}")]
    OutcomeUnknown(String),
}

/// Which identifier of a worker operation was unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identifier {
    /// The worker's id.
    Worker,
    /// The job's id.
    Job,
    /// The lease token.
    LeaseToken,
}

impl Identifier {
    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Worker => "worker_id",
            Self::Job => "job_id",
            Self::LeaseToken => "lease_token",
        }
    }
}

/// What a worker operation tried to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Begin the work.
    Start,
    /// Keep the lease.
    Heartbeat,
    /// Append a progress event.
    Progress,
    /// Report a result.
    Complete,
    /// Report an error.
    Fail,
    /// Confirm that a requested cancel was obeyed.
    Acknowledge,
}

impl Action {
    /// The words in messages.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Heartbeat => "heartbeat",
            Self::Progress => "append progress",
            Self::Complete => "complete",
            Self::Fail => "fail",
            Self::Acknowledge => "acknowledge cancel of",
        }
    }
}

/// Why the store refused a worker operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Refusal {
    /// There is no such job.
    NotFound,
    /// The job's status does not allow it.
    StatusMismatch,
    /// The lease is not the caller's: another token, another attempt, or over.
    LeaseMismatch,
    /// The caller's attempt was already ended by another operation.
    AttemptSettled,
}

impl Refusal {
    /// The words in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::StatusMismatch => "status_mismatch",
            Self::LeaseMismatch => "lease_mismatch",
            Self::AttemptSettled => "attempt_settled",
        }
    }
}

impl Error {
    pub(crate) fn request_invalid(member: &str, wanted: &'static str) -> Self {
        Self::RequestInvalid {
            member: if member.is_empty() { "arguments".into() } else { member.into() },
            wanted,
        }
    }

    /// The code for programs and the status, as HTTP has them.
    pub const fn code(&self) -> (&'static str, u16) {
        match self {
            Self::RequestInvalid { .. } => ("EXECUTOR_REQUEST_INVALID", 422),
            Self::JobIdRequired => ("EXECUTOR_JOB_ID_REQUIRED", 422),
            Self::JobIdInvalid | Self::IdentifierInvalid(Identifier::Job) => ("EXECUTOR_JOB_ID_INVALID", 422),
            Self::KeyRequired => ("EXECUTOR_IDEMPOTENCY_KEY_REQUIRED", 422),
            Self::KeyTooLong { .. } => ("EXECUTOR_IDEMPOTENCY_KEY_TOO_LONG", 422),
            Self::ExecutorRequired => ("EXECUTOR_ID_REQUIRED", 422),
            Self::InstructionRequired => ("EXECUTOR_INSTRUCTION_REQUIRED", 422),
            Self::RequestTooLarge { .. } => ("EXECUTOR_REQUEST_TOO_LARGE", 413),
            Self::IdentifierInvalid(Identifier::Worker) => ("EXECUTOR_WORKER_ID_INVALID", 422),
            Self::IdentifierInvalid(Identifier::LeaseToken) => ("EXECUTOR_LEASE_TOKEN_INVALID", 422),
            Self::ExecutorsRequired => ("EXECUTOR_WORKER_EXECUTORS_REQUIRED", 422),
            Self::ProgressTypeInvalid => ("EXECUTOR_PROGRESS_TYPE_INVALID", 422),
            Self::ProgressTypeReserved(_) => ("EXECUTOR_PROGRESS_TYPE_RESERVED", 422),
            Self::EventDataTooLarge { .. } => ("EXECUTOR_EVENT_DATA_TOO_LARGE", 413),
            Self::KeyConflict(_) => ("EXECUTOR_IDEMPOTENCY_CONFLICT", 409),
            Self::JobIdConflict(_) => ("EXECUTOR_JOB_ID_CONFLICT", 409),
            Self::Refused { reason, .. } => match reason {
                Refusal::NotFound => ("EXECUTOR_JOB_NOT_FOUND", 404),
                Refusal::StatusMismatch => ("EXECUTOR_JOB_STATE_CONFLICT", 409),
                Refusal::LeaseMismatch => ("EXECUTOR_LEASE_LOST", 409),
                Refusal::AttemptSettled => ("EXECUTOR_ATTEMPT_SETTLED", 409),
            },
            Self::ClaimStale { .. } => ("EXECUTOR_CLAIM_STALE", 409),
            Self::ClaimOver { .. } => ("EXECUTOR_CLAIM_OVER", 409),
            Self::CursorBeyondEnd { .. } => ("EXECUTOR_EVENT_CURSOR_BEYOND_END", 409),
            Self::AdapterDisabled(_) => ("EXECUTOR_ADAPTER_DISABLED", 409),
            Self::WorkerClaimRequired(_) => ("EXECUTOR_WORKER_CLAIM_REQUIRED", 409),
            Self::StoreUnavailable(_) => ("EXECUTOR_STORE_UNAVAILABLE", 503),
            Self::OutcomeUnknown(_) => ("EXECUTOR_STORE_OUTCOME_UNKNOWN", 503),
        }
    }

    /// The details for programs; null where there are none.
    pub fn details(&self) -> Value {
        match self {
            Self::Refused { current, .. } => json!({ "currentStatus": current.map(Status::as_str) }),
            Self::RequestInvalid { member, .. } => json!({ "member": member }),
            _ => Value::Null,
        }
    }

    /// The error as it crosses the wire.
    pub fn to_json(&self) -> Value {
        let (code, status) = self.code();
        json!({ "code": code, "status": status, "message": self.to_string(), "details": self.details() })
    }
}
