use crate::{Lease, LeaseToken, Offer, Record, Text};
use holdover_machine::{Secret, Timestamp};
use serde::{Deserialize, Serialize};

/// What every command to the control plane carries, so that it can refuse a holder whose time is over.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fence {
    /// The run.
    pub run_id: Text,
    /// The attempt.
    pub attempt_id: Text,
    /// The worker.
    pub worker_id: Text,
    /// The worker's session.
    pub worker_session_id: Text,
    /// The worker's generation.
    pub worker_generation: u64,
    /// The fencing token.
    pub lease_generation: u64,
    /// The capability. The control plane has to see it.
    #[serde(serialize_with = "Secret::write")]
    pub lease_token: LeaseToken,
    /// The version that the worker believes in.
    pub expected_lease_version: u64,
    /// The execution path.
    pub executor_type: Text,
}

impl Fence {
    /// The fence of `offer` at the version of `lease`.
    pub fn new(offer: &Offer, lease: &Lease) -> Self {
        Self {
            run_id: offer.candidate.run_id.clone(),
            attempt_id: offer.candidate.attempt_id.clone(),
            worker_id: lease.worker_id.clone(),
            worker_session_id: lease.worker_session_id.clone(),
            worker_generation: lease.worker_generation,
            lease_generation: lease.lease_generation,
            lease_token: lease.lease_token.clone(),
            expected_lease_version: lease.version,
            executor_type: offer.candidate.executor_type.clone(),
        }
    }
}

/// Tells the control plane which process executes the attempt.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunningCommand {
    /// Who says so.
    #[serde(flatten)]
    pub fence: Fence,
    /// When the process started, by the executor's clock.
    #[serde(rename = "startedAtMs")]
    pub started_at: Timestamp,
    /// The process.
    pub executor_handle: Text,
    /// Its log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_artifact_id: Option<Text>,
}

impl RunningCommand {
    /// Reports the process of a checked record in `started`. The control plane is told the executor's own start
    /// time, whatever its clock was.
    pub(crate) fn new(record: &Record, lease: &Lease) -> Self {
        let (executor_handle, started_at) = record.process();
        Self {
            fence: Fence::new(&record.offer, lease),
            started_at,
            executor_handle: executor_handle.clone(),
            log_artifact_id: record.log_artifact_id.clone(),
        }
    }
}

/// Why the control plane refused a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FenceReason {
    /// It knows no such lease.
    Missing,
    /// The lease is for another run.
    RunMismatch,
    /// The lease has ended.
    NotLeased,
    /// Another worker holds it.
    WorkerMismatch,
    /// Another session holds it.
    WorkerSessionMismatch,
    /// Another generation of the worker holds it.
    WorkerGenerationMismatch,
    /// The attempt has been leased again.
    LeaseGenerationMismatch,
    /// The capability is another.
    LeaseTokenMismatch,
    /// The lease has been renewed meanwhile.
    VersionMismatch,
    /// Nobody renewed it in time.
    LeaseExpired,
    /// The worker may not hold leases now.
    WorkerUnavailable,
}
