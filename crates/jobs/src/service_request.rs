//! What a service can be asked, after its arguments were read. Reading is in `wire`.

use crate::{Announcement, Holder, Incarnation, JobError, JobId, JobResult, LeaseToken, Request, text::Text};
use holdover_machine::{OwnTime, Span};
use serde_json::Value;
use std::sync::Arc;

/// A request to a service.
#[derive(Debug, Clone, PartialEq)]
pub enum ServiceRequest {
    /// A new job, once.
    Create(Arc<Request>),
    /// What the gates would say; nothing is stored.
    Preview(Arc<Request>),
    /// End a job. An id that cannot be one is a job that is not known.
    Cancel {
        /// The job.
        job: Option<JobId>,
        /// Why, at most 256 UTF-16 units.
        reason: Text,
    },
    /// A job.
    Get {
        /// The job.
        job: Option<JobId>,
        /// Whether the stored record is asked for, not the projection for readers.
        include_request: bool,
    },
    /// A page of a job's events.
    Events {
        /// The job.
        job: Option<JobId>,
        /// The cursor: the last sequence number already seen, at least 0. A fraction is kept.
        after: f64,
        /// The most events, 1 to 500.
        limit: u64,
    },
    /// The executors that the service knows.
    Adapters,
    /// How the service is set up.
    Status,
    /// A job for a worker.
    Claim(Box<ClaimRequest>),
    /// An operation on a held job.
    Lease(Box<LeaseRequest>),
    /// Take expired leases away, 1 to 500 of them.
    Recover {
        /// The most.
        limit: u32,
    },
    /// Totals and workers.
    Stats,
    /// The operator's switch for handing jobs out.
    Switch {
        /// Whether jobs are handed out.
        open: bool,
    },
}

/// A worker asks for a job.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimRequest {
    /// The worker.
    pub worker: Text,
    /// Its process, where it says so: a fresh number for each start, not to be guessed.
    pub incarnation: Option<Incarnation>,
    /// The number of the claim within its process, where it says so. A repeat carries the same number.
    pub number: Option<u64>,
    /// The most leases that its process wants to hold, where it says so.
    pub held_max: Option<u32>,
    /// The executors that it can run, at most 20.
    pub executors: Arc<[Text]>,
    /// What it says of itself.
    pub announcement: Announcement,
    /// How long the lease is.
    pub lease: Span,
    /// The token of the lease, drawn by the shell.
    pub token: LeaseToken,
    /// The worker's own clock when it sent this; it comes back in the answer.
    pub echo: Option<OwnTime>,
}

/// A worker operates on a job that it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct LeaseRequest {
    /// The job.
    pub job: JobId,
    /// What proves that it holds it.
    pub holder: Holder,
    /// What it wants.
    pub operation: LeaseOperation,
    /// The worker's own clock when it sent this; it comes back in the answer.
    pub echo: Option<OwnTime>,
}

/// See [`LeaseRequest`].
#[derive(Debug, Clone, PartialEq)]
pub enum LeaseOperation {
    /// Begin the work.
    Start,
    /// Keep the lease.
    Heartbeat {
        /// For how long from now.
        lease: Span,
    },
    /// Append an event.
    Progress {
        /// Its type.
        kind: Text,
        /// Its data; null for none.
        data: Arc<Value>,
    },
    /// Report a result.
    Complete {
        /// The result.
        result: Arc<JobResult>,
    },
    /// Report an error.
    Fail {
        /// The error.
        error: Arc<JobError>,
        /// When the worker would like the next attempt.
        delay: Span,
    },
    /// Confirm that a requested cancel was obeyed.
    Acknowledge,
}
