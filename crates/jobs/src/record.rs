//! A job as the store keeps it: what create fixed, and what changes.

use crate::{
    Decision, Incarnation, JobError, JobId, JobResult, Lease, LeaseToken, Request, Status,
    text::{Text, trim},
};
use holdover_machine::{Span, StoreTime};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The version text of a stored job.
pub const RECORD_VERSION: &str = "executor-job-state-v1";

/// An idempotency key within its scope.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The tenant, where keys belong to tenants.
    pub scope: Option<Text>,
    /// The key.
    pub text: Text,
}

impl Key {
    /// The key without the white space around it, as keys are kept.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        Self { scope: self.scope.clone(), text: trim(&self.text).into() }
    }

    pub(crate) fn is_trimmed(&self) -> bool {
        trim(&self.text).len() == self.text.len()
    }
}

/// What create fixed, shared by every version of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The job's id.
    pub job_id: JobId,
    /// Its idempotency key.
    pub key: Key,
    /// The fingerprint of the request, kept also when the request is not.
    pub fingerprint: Text,
    /// Its executor.
    pub executor: Text,
    /// The most attempts.
    pub attempts_max: u32,
    /// Whether it may be cancelled.
    pub cancellation_allowed: bool,
    /// The longest an attempt may run.
    pub timeout: Span,
    /// What the gates said.
    pub decision: Decision,
    /// The request; not kept for a job that is blocked.
    pub request: Option<Arc<Request>>,
}

impl Spec {
    /// What a create fixes for this request after this decision.
    pub(crate) fn new(request: &Arc<Request>, key: Key, decision: Decision) -> Self {
        Self {
            job_id: request.job_id.clone(),
            key,
            fingerprint: request.fingerprint().clone(),
            executor: request.executor.clone(),
            attempts_max: request.attempts_max,
            cancellation_allowed: request.cancellation_allowed,
            timeout: request.timeout,
            request: decision.dispatch_allowed.then(|| Arc::clone(request)),
            decision,
        }
    }

    /// Whether it came in queued.
    pub fn dispatch_allowed(&self) -> bool {
        self.decision.dispatch_allowed
    }
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ending {
    /// The worker reported this result.
    Completed(Arc<JobResult>),
    /// The worker reported this error.
    Failed(Arc<JobError>),
    /// The worker confirmed a cancel.
    Acknowledged,
    /// The lease was over, or the job was cancelled under it.
    Lost,
}

/// The line that an ended attempt leaves, for as long as the record lives. It is what makes repeats of its last
/// operation answerable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PastAttempt {
    /// Its number.
    pub attempt: u32,
    /// Its token. It opens nothing any more; it tells the worker from a stranger.
    #[serde(with = "crate::identifier::revealed")]
    pub token: LeaseToken,
    /// The worker process that held it.
    pub incarnation: Option<Incarnation>,
    /// How it ended.
    pub ending: Ending,
}

/// A cancel that was asked for while the job was running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelRequest {
    /// Why.
    pub reason: Text,
    /// When.
    pub at: StoreTime,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What create fixed.
    pub spec: Arc<Spec>,
    /// Its creation number: the store's count of creates.
    pub number: u32,
    /// When it was created.
    pub created_at: StoreTime,
    /// Where it stands.
    pub status: Status,
    /// Why.
    pub reason: Option<Text>,
    /// Grants so far: the fencing number of the last one.
    pub attempts: u32,
    /// Attempts charged against the most attempts.
    pub charged: u32,
    /// Leases that ended without a start.
    pub unstarted: u32,
    /// The lease, exactly when it is held.
    pub lease: Option<Lease>,
    /// Since when it has been ready, or when it will be.
    pub ready_at: StoreTime,
    /// When a retry is or was due.
    pub next_attempt_at: Option<StoreTime>,
    /// The last error.
    pub error: Option<Arc<JobError>>,
    /// The result.
    pub result: Option<Arc<JobResult>>,
    /// A cancel that was asked for.
    pub cancel: Option<CancelRequest>,
    /// When it changed last.
    pub updated_at: StoreTime,
    /// When it was started first.
    pub started_at: Option<StoreTime>,
    /// When it ended.
    pub completed_at: Option<StoreTime>,
    /// Its ended attempts, oldest first; bounded by the number of grants.
    pub past: Vec<PastAttempt>,
}

impl Record {
    /// The job's id.
    pub fn id(&self) -> &JobId {
        &self.spec.job_id
    }

    /// The tenant that asked for it, where the request is kept.
    pub fn tenant(&self) -> Option<&Text> {
        self.spec.request.as_ref().and_then(|request| request.tenant.as_ref())
    }

    /// The user that asked for it, where the request is kept.
    pub fn user(&self) -> Option<&Text> {
        self.spec.request.as_ref().and_then(|request| request.user.as_ref())
    }

    /// Whether its lease has been started.
    pub(crate) fn is_started(&self) -> bool {
        self.status == Status::Running
    }
}
