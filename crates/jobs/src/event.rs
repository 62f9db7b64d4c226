use crate::{JobError, JobId, JobResult, Status, text::Text};
use holdover_machine::StoreTime;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// The version text of an event.
pub const EVENT_VERSION: &str = "executor-job-event-v1";

/// One change of a job, as its log keeps it. Sequence numbers of a job are 1, 2, 3, ... without a gap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its place in the log.
    pub sequence: u64,
    /// When.
    pub at: StoreTime,
    /// What.
    pub body: EventBody,
}

/// What happened to a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the members are those of the wire, described by the variants")]
pub enum EventBody {
    /// It was created, queued.
    Queued { executor: Text, reason: Option<Text> },
    /// It was created, blocked.
    Blocked { executor: Text, reason: Option<Text> },
    /// A blocked job was let in by a repeated create.
    Unblocked { executor: Text, reason: Option<Text> },
    /// A worker was granted it.
    Leased { worker: Text, executor: Text, attempt: u32, expires_at: StoreTime },
    /// The worker began.
    Started { worker: Text, attempt: u32 },
    /// The worker kept its lease.
    Heartbeat { worker: Text, expires_at: StoreTime },
    /// The worker told of its progress.
    Progress { kind: Text, data: Arc<Value> },
    /// The work was done.
    Succeeded { result: Arc<JobResult> },
    /// The attempt failed; another is due then.
    RetryScheduled { error: Arc<JobError>, next_attempt_at: StoreTime },
    /// The attempt failed for good.
    Failed { error: Arc<JobError> },
    /// A lost lease was taken away; another attempt is due.
    LeaseRecovered { worker: Text, attempt: u32 },
    /// A lost lease was taken away; it was the last.
    TimedOut { worker: Text, attempt: u32 },
    /// A lost lease was taken away; too many had ended without a start.
    NeverStarted { worker: Text, attempt: u32 },
    /// A cancel was asked for while it runs.
    CancelRequested { reason: Text },
    /// It was cancelled.
    Cancelled { reason: Text },
}

/// The types that the system uses itself.
pub(crate) const RESERVED_TYPES: [&str; 13] = [
    "executor_job_queued",
    "executor_job_blocked",
    "executor_job_unblocked",
    "executor_job_leased",
    "executor_job_started",
    "executor_job_heartbeat",
    "executor_job_succeeded",
    "executor_job_retry_scheduled",
    "executor_job_failed",
    "executor_job_lease_recovered",
    "executor_job_timed_out",
    "executor_job_cancel_requested",
    "executor_job_cancelled",
];

impl EventBody {
    /// The event's type on the wire.
    pub fn kind(&self) -> &str {
        match self {
            Self::Queued { .. } => "executor_job_queued",
            Self::Blocked { .. } => "executor_job_blocked",
            Self::Unblocked { .. } => "executor_job_unblocked",
            Self::Leased { .. } => "executor_job_leased",
            Self::Started { .. } => "executor_job_started",
            Self::Heartbeat { .. } => "executor_job_heartbeat",
            Self::Progress { kind, .. } => kind,
            Self::Succeeded { .. } => "executor_job_succeeded",
            Self::RetryScheduled { .. } => "executor_job_retry_scheduled",
            Self::Failed { .. } | Self::NeverStarted { .. } => "executor_job_failed",
            Self::LeaseRecovered { .. } => "executor_job_lease_recovered",
            Self::TimedOut { .. } => "executor_job_timed_out",
            Self::CancelRequested { .. } => "executor_job_cancel_requested",
            Self::Cancelled { .. } => "executor_job_cancelled",
        }
    }

    fn data(&self) -> Value {
        let created = |executor: &Text, status: Status, reason: &Option<Text>| {
            json!({
                "executor": &**executor, "status": status.as_str(), "reason": reason.as_deref(),
                "dispatchAllowed": status == Status::Queued,
            })
        };
        let lost = |worker: &Text, status: Status, attempt: &u32| json!({ "previousWorkerId": &**worker, "status": status.as_str(), "attempt": attempt });
        match self {
            Self::Queued { executor, reason } | Self::Unblocked { executor, reason } => {
                created(executor, Status::Queued, reason)
            }
            Self::Blocked { executor, reason } => created(executor, Status::Blocked, reason),
            Self::Leased { worker, executor, attempt, expires_at } => json!({
                "workerId": &**worker, "executor": &**executor, "attempt": attempt,
                "leaseExpiresAt": expires_at.ms(),
            }),
            Self::Started { worker, attempt } => json!({ "workerId": &**worker, "attempt": attempt }),
            Self::Heartbeat { worker, expires_at } => {
                json!({ "workerId": &**worker, "leaseExpiresAt": expires_at.ms() })
            }
            Self::Progress { data, .. } => (**data).clone(),
            Self::Succeeded { result } => result.to_json(),
            Self::RetryScheduled { error, next_attempt_at } => json!({
                "status": Status::Retryable.as_str(), "error": error.to_json(),
                "nextAttemptAt": next_attempt_at.ms(),
            }),
            Self::Failed { error } => json!({
                "status": Status::Failed.as_str(), "error": error.to_json(), "nextAttemptAt": null,
            }),
            Self::LeaseRecovered { worker, attempt } => lost(worker, Status::Retryable, attempt),
            Self::TimedOut { worker, attempt } => lost(worker, Status::TimedOut, attempt),
            Self::NeverStarted { worker, attempt } => lost(worker, Status::Failed, attempt),
            Self::CancelRequested { reason } => {
                json!({ "status": Status::Running.as_str(), "reason": &**reason })
            }
            Self::Cancelled { reason } => {
                json!({ "status": Status::Cancelled.as_str(), "reason": &**reason })
            }
        }
    }
}

impl Event {
    /// The event as it is shown. Its id is made here and not stored: it follows from job and sequence.
    pub fn to_json(&self, job: &JobId) -> Value {
        json!({
            "version": EVENT_VERSION,
            "eventId": event_id(job, self.sequence),
            "jobId": job.as_str(),
            "sequence": self.sequence,
            "type": self.body.kind(),
            "timestamp": self.at.ms(),
            "data": self.body.data(),
        })
    }
}

/// The namespace of event ids: drawn once, fixed for good.
const NAMESPACE: Uuid = Uuid::from_u128(0x7c1b_5f0e_3a86_5d0b_9c55_2f4d_8a61_e30a);

/// An event's id: the name-based UUID (version 5) of job and sequence number.
fn event_id(job: &JobId, sequence: u64) -> String {
    Uuid::new_v5(&NAMESPACE, format!("{job}:{sequence}").as_bytes()).to_string()
}
