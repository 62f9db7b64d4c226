use crate::{
    Digest, ExecutionSpec, Invalid, Lease, LeaseStatus, OfferId, Text,
    check::{WHOLE_MAX, ensure, text, time},
};
use holdover_machine::Timestamp;
use serde::{Deserialize, Serialize};
use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

/// Why an offer is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryKind {
    /// The control plane has just leased the attempt.
    NewClaim,
    /// The lease exists and the control plane does not know what became of it.
    LeaseRecovery,
}

/// The run that the control plane chose.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// The run.
    pub run_id: Text,
    /// The attempt of the run.
    pub attempt_id: Text,
    /// The project of the task.
    pub project_id: Text,
    /// The task.
    pub task_id: Text,
    /// The revision of the task.
    pub task_revision: Text,
    /// The execution path that the run asks for.
    pub executor_type: Text,
    /// Larger is more urgent.
    pub priority: i64,
    /// When the run was queued.
    #[serde(rename = "queuedAtMs")]
    pub queued_at: Timestamp,
    /// When the attempt was created.
    #[serde(rename = "attemptCreatedAtMs")]
    pub attempt_created_at: Timestamp,
}

/// The worker session that an offer is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerTarget {
    /// The worker.
    pub id: Text,
    /// Its session.
    pub session_id: Text,
    /// Its generation.
    pub generation: u64,
}

/// How well the worker suits the run. It decides nothing here.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlacementScore(pub f64);

/// Checked scores are finite, for which equality is total.
impl Eq for PlacementScore {}

impl Hash for PlacementScore {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// One leased attempt, offered to one worker session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// The name of the offer.
    pub offer_id: OfferId,
    /// The digest of the spec.
    pub execution_spec_digest: Digest,
    /// Why it is delivered.
    pub delivery_kind: DeliveryKind,
    /// The run that was chosen.
    pub candidate: Candidate,
    /// The worker session that it is for.
    pub worker: WorkerTarget,
    /// The lease of the attempt.
    pub lease: Lease,
    /// What to execute.
    pub execution_spec: Arc<ExecutionSpec>,
    /// How well the worker suits the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement_score: Option<PlacementScore>,
}

impl Offer {
    /// Reads an offer from the wire and checks it.
    pub fn parse(json: &str) -> Result<Self, Invalid> {
        let offer: Self = serde_json::from_str(json).map_err(|error| Invalid::unreadable("offer", &error))?;
        offer.check()?;
        Ok(offer)
    }

    /// Whether `other` is a delivery of this offer. Lease version and times, delivery kind and placement score
    /// may differ.
    pub fn same_offer(&self, other: &Self) -> bool {
        self.offer_id == other.offer_id
            && self.execution_spec_digest == other.execution_spec_digest
            && self.candidate == other.candidate
            && self.lease.same_authority(&other.lease)
            && self.worker == other.worker
    }

    /// This offer as journaled, after `delivered`: with the delivered kind and the newer lease.
    #[must_use]
    pub fn merged(&self, delivered: &Self) -> Self {
        let newer = delivered.lease.version > self.lease.version;
        let lease = if newer { &delivered.lease } else { &self.lease };
        Self { delivery_kind: delivered.delivery_kind, lease: lease.clone(), ..self.clone() }
    }

    /// Checks every rule of an offer.
    pub fn check(&self) -> Result<(), Invalid> {
        self.check_candidate()?;
        self.check_lease()?;
        self.execution_spec.check()?;
        self.check_spec_ids()?;
        let digest = self.execution_spec.digest() == self.execution_spec_digest;
        ensure(digest, "executionSpecDigest", "must be the digest of executionSpec")?;
        let score = self.placement_score.is_none_or(|score| score.0.is_finite() && score.0 >= 0.0);
        ensure(score, "placementScore", "must be finite and not negative")
    }

    /// Checks the lease and all that the rest of the offer says about it.
    pub(crate) fn check_lease(&self) -> Result<(), Invalid> {
        let (lease, candidate, worker) = (&self.lease, &self.candidate, &self.worker);
        lease.check()?;
        ensure(lease.status == LeaseStatus::Leased, "lease.status", "must be leased")?;
        ensure(lease.run_id == candidate.run_id, "lease.runId", "must be the candidate's")?;
        ensure(lease.attempt_id == candidate.attempt_id, "lease.attemptId", "must be the candidate's")?;
        ensure(worker.id == lease.worker_id, "worker.id", "must be the lease's")?;
        ensure(worker.session_id == lease.worker_session_id, "worker.sessionId", "must be the lease's")?;
        ensure(worker.generation == lease.worker_generation, "worker.generation", "must be the lease's")?;
        ensure(OfferId::of(lease) == self.offer_id, "offerId", "must be derived from the lease")
    }

    fn check_candidate(&self) -> Result<(), Invalid> {
        let candidate = &self.candidate;
        text("candidate.runId", &candidate.run_id, 128)?;
        text("candidate.attemptId", &candidate.attempt_id, 128)?;
        text("candidate.projectId", &candidate.project_id, 128)?;
        text("candidate.taskId", &candidate.task_id, 128)?;
        text("candidate.taskRevision", &candidate.task_revision, 128)?;
        text("candidate.executorType", &candidate.executor_type, 64)?;
        let priority = candidate.priority.unsigned_abs() <= WHOLE_MAX;
        ensure(priority, "candidate.priority", "must be a whole number within 2^53-1")?;
        time("candidate.queuedAtMs", candidate.queued_at)?;
        time("candidate.attemptCreatedAtMs", candidate.attempt_created_at)
    }

    fn check_spec_ids(&self) -> Result<(), Invalid> {
        let (spec, candidate) = (&self.execution_spec, &self.candidate);
        let same = spec.run_id == candidate.run_id
            && spec.attempt_id == candidate.attempt_id
            && spec.project_id == candidate.project_id
            && spec.task_id == candidate.task_id
            && spec.task_revision == candidate.task_revision;
        ensure(same, "executionSpec", "must name the candidate's run, attempt, project, task and revision")
    }
}
