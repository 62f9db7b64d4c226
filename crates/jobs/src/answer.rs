//! What a service answers, and how that looks on the wire.

use crate::record::RECORD_VERSION;
use crate::{
    Decision, Error, Event, JobId, LeaseToken, QueueStats, Record, Registry, WORKER_VERSION, WorkerView,
};
use holdover_machine::{OwnTime, Span, StoreTime};
use serde_json::{Map, Number, Value, json};
use std::sync::Arc;

/// The version text of a gateway's status.
pub const STATUS_VERSION: &str = "executor-gateway-status-v1";

/// An answer of a service.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A create: whether it made the job, and the job.
    Created {
        /// Whether it made the job.
        created: bool,
        /// The job.
        job: JobView,
    },
    /// A preview.
    Decision(Box<Decision>),
    /// A job, or null for one that is not known.
    Job(Option<JobView>),
    /// A page of events, or null for a job that is not known.
    Events(Option<EventList>),
    /// The executors.
    Adapters(Arc<Registry>),
    /// How the service is set up.
    Status(Box<StatusView>),
    /// A grant, or null when there is nothing to hand out.
    Claim(Option<Box<ClaimView>>),
    /// The job after an operation.
    Lease {
        /// The job.
        job: JobView,
        /// Where the lease stands.
        standing: Standing,
    },
    /// What a recovery did.
    Recovered {
        /// How many it looked at.
        inspected: usize,
        /// The jobs whose lease it took away.
        recovered: Vec<JobView>,
    },
    /// Totals and workers.
    Stats {
        /// The totals.
        queue: QueueStats,
        /// The workers, last seen first.
        workers: Vec<WorkerView>,
    },
    /// It is done.
    Done,
}

/// Which members of a record are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The record as stored.
    Stored,
    /// Without the request and its fingerprint.
    Projection,
}

/// A record as somebody is shown it. The token is shown exactly when it is here.
#[derive(Debug, Clone, PartialEq)]
pub struct JobView {
    /// The record.
    pub record: Arc<Record>,
    /// What is shown of it.
    pub form: Form,
    /// The token of its lease, for those who may see it.
    pub token: Option<LeaseToken>,
}

/// A grant, as its worker is shown it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimView {
    /// The job.
    pub job: JobView,
    /// The token.
    pub token: LeaseToken,
    /// Where the lease stands.
    pub standing: Standing,
}

/// Where a lease stands, in terms that need no common clock. An answer shows it beside what the original
/// protocol has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The attempt: the fencing number.
    pub attempt: u32,
    /// The instant at which it is over, by the clock that stamped it.
    pub expires_at: StoreTime,
    /// How much of it remains.
    pub remaining: Span,
    /// Whether a cancel was asked for.
    pub cancel_requested: bool,
    /// The worker's own clock when it sent the request.
    pub echo: Option<OwnTime>,
    /// Whether this is the answer of an earlier request again.
    pub replayed: bool,
}

/// A page of events.
#[derive(Debug, Clone, PartialEq)]
pub struct EventList {
    /// The job.
    pub job: JobId,
    /// The events.
    pub events: Vec<Event>,
    /// The cursor for the next page.
    pub next_cursor: f64,
}

/// How a service is set up.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusView {
    /// Whether jobs are handed out.
    pub execution_enabled: bool,
    /// The name of the store.
    pub store_kind: &'static str,
    /// Whether the store keeps what it has acknowledged.
    pub store_durable: bool,
    /// The executors.
    pub registry: Arc<Registry>,
}

impl Standing {
    /// Where the record's lease stands at the store's time.
    pub(crate) fn of(record: &Record, now: StoreTime, echo: Option<OwnTime>, replayed: bool) -> Self {
        let expires_at = record.lease.as_ref().map_or(now, |lease| lease.expires_at);
        Self {
            attempt: record.lease.as_ref().map_or(record.attempts, |lease| lease.attempt),
            expires_at,
            remaining: (expires_at - now).max(Span::ZERO),
            cancel_requested: record.cancel.is_some(),
            echo,
            replayed,
        }
    }

    fn to_json(self) -> Value {
        json!({
            "attempt": self.attempt,
            "remainingMs": self.remaining.ms(),
            "cancelRequested": self.cancel_requested,
            "echoMs": self.echo.map(OwnTime::ms),
            "replayed": self.replayed,
        })
    }
}

impl JobView {
    /// The record as it is shown.
    pub fn to_json(&self) -> Value {
        let record = &*self.record;
        let spec = &*record.spec;
        let mut members = json!({
            "version": RECORD_VERSION,
            "jobId": spec.job_id.as_str(),
            "idempotencyKey": &*spec.key.text,
            "executor": &*spec.executor,
            "status": record.status.as_str(),
            "reason": record.reason.as_deref(),
            "attempts": record.attempts,
            "maxAttempts": spec.attempts_max,
            "dispatchAllowed": spec.dispatch_allowed(),
            "cancellationAllowed": spec.cancellation_allowed,
            "timeoutMs": spec.timeout.ms(),
            "fallbackExecutor": spec.decision.fallback.as_deref(),
            "fallbackRegistered": spec.decision.fallback_registered,
            "fallbackAvailable": spec.decision.fallback_available,
            "decision": spec.decision.to_json(),
            "createdAt": record.created_at.ms(),
            "updatedAt": record.updated_at.ms(),
            "startedAt": record.started_at.map(StoreTime::ms),
            "completedAt": record.completed_at.map(StoreTime::ms),
            "nextAttemptAt": record.next_attempt_at.map(StoreTime::ms),
            "error": record.error.as_ref().map(|error| error.to_json()),
            "result": record.result.as_ref().map(|result| result.to_json()),
            "lease": self.lease(),
        });
        if let (Form::Stored, Value::Object(members)) = (self.form, &mut members) {
            members.insert("requestFingerprint".into(), (&*spec.fingerprint).into());
            members.insert("request".into(), spec.request.as_ref().map(|request| request.to_json()).into());
        }
        members
    }

    fn lease(&self) -> Value {
        let Some(lease) = &self.record.lease else { return Value::Null };
        let mut members = json!({
            "workerId": &*lease.worker, "acquiredAt": lease.acquired_at.ms(),
            "heartbeatAt": lease.heartbeat_at.ms(), "expiresAt": lease.expires_at.ms(),
        });
        if let (Some(token), Value::Object(members)) = (&self.token, &mut members) {
            members.insert("token".into(), token.reveal().into());
        }
        members
    }
}

impl Answer {
    /// The answer as it crosses the wire.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Created { created, job } => json!({ "created": created, "job": job.to_json() }),
            Self::Decision(decision) => decision.to_json(),
            Self::Job(job) => job.as_ref().map(JobView::to_json).into(),
            Self::Events(list) => list.as_ref().map(EventList::to_json).into(),
            Self::Adapters(registry) => adapters(registry),
            Self::Status(status) => json!({
                "version": STATUS_VERSION,
                "dispatchImplemented": true,
                "executionEnabled": status.execution_enabled,
                "store": { "kind": status.store_kind, "durable": status.store_durable },
                "adapters": adapters(&status.registry),
            }),
            Self::Claim(claim) => claim.as_ref().map(|claim| claim.to_json()).into(),
            Self::Lease { job, standing } => with_standing(job.to_json(), *standing),
            Self::Recovered { inspected, recovered } => json!({
                "version": WORKER_VERSION,
                "inspected": inspected,
                "recovered": recovered.iter().map(JobView::to_json).collect::<Vec<_>>(),
            }),
            Self::Stats { queue, workers } => stats(queue, workers),
            Self::Done => Value::Null,
        }
    }
}

impl ClaimView {
    fn to_json(&self) -> Value {
        let claim = json!({
            "version": WORKER_VERSION, "job": self.job.to_json(), "leaseToken": self.token.reveal(),
        });
        with_standing(claim, self.standing)
    }
}

impl EventList {
    fn to_json(&self) -> Value {
        json!({
            "jobId": self.job.as_str(),
            "events": self.events.iter().map(|event| event.to_json(&self.job)).collect::<Vec<_>>(),
            "nextCursor": cursor(self.next_cursor),
        })
    }
}

/// A cursor is a whole number unless its reader sent a fraction.
fn cursor(cursor: f64) -> Value {
    if cursor.fract() == 0.0 { (cursor as u64).into() } else { Number::from_f64(cursor).into() }
}

/// The standing is one more member, so that a client of the original protocol can leave it aside.
fn with_standing(mut answer: Value, standing: Standing) -> Value {
    if let Value::Object(members) = &mut answer {
        members.insert(STANDING.into(), standing.to_json());
    }
    answer
}

/// The name of the member that the original protocol does not have.
pub const STANDING: &str = "standing";

fn adapters(registry: &Registry) -> Value {
    registry.iter().map(crate::Adapter::to_json).collect()
}

fn stats(queue: &QueueStats, workers: &[WorkerView]) -> Value {
    let mut members: Map<String, Value> = queue.to_members();
    members.insert("version".into(), WORKER_VERSION.into());
    members.insert("workers".into(), workers.iter().map(WorkerView::to_json).collect());
    members
        .insert("healthyWorkers".into(), workers.iter().filter(|worker| worker.is_healthy()).count().into());
    Value::Object(members)
}

/// An answer or a refusal, as a service gives it.
pub type Answered = Result<Answer, Error>;
