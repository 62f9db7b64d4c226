//! The job protocol: a gateway that takes jobs in once, and a worker protocol that hands them out under leases,
//! over one store contract.
//!
//! A client creates a job under an idempotency key; gates and admission decide whether it is queued. A worker
//! claims the first job that it can run and holds a *lease* on it: a token, a fencing number (the attempt), and
//! an expiry. It starts, sends heartbeats, and completes or fails. A sweep takes leases away that are over. The
//! tenant who stays after the lease has ended, the stalled worker that wakes up and finishes somebody else's job,
//! is what everything here is about.
//!
//! ```text
//!   client ── ServiceRequest ──▶ Service ── Call ──▶ store (Table)
//!   worker ──      "        ──▶    │    ◀── Reply ──
//!          ◀──── Answer ─────      │ flights: create, claim, cancel, recover wait between their calls
//! ```
//!
//! The crate is sans-IO. [`Service`] is a [`Machine`](holdover_machine::Machine): requests and store replies go
//! in, store calls and answers come out. The store contract is data, [`Call`] and [`Reply`]; [`Table`] is its
//! meaning. A variant is a [`Rules`] value: `original` is what the source protocol does, `hardened` applies all
//! [`KNOBS`], each of which closes one weakness.

mod adapter;
mod admission;
mod answer;
mod canonical;
mod collation;
mod command;
mod decision;
mod error;
mod event;
mod fields;
mod identifier;
mod job_error;
mod job_result;
mod knob;
mod lease;
mod policy;
mod presence;
mod record;
pub mod records;
mod reply;
mod request;
pub mod rules;
mod service;
mod service_request;
mod settings;
mod status;
mod table;
mod text;
mod wire;
pub mod worker;

#[doc = include_str!("../WEAKNESSES.md")]
pub mod weaknesses {}

pub use adapter::{Adapter, Registry, RegistryError};
pub use admission::{AdmissionCounts, AdmissionLimits, Subject, WINDOW_DEFAULT};
pub use answer::{
    Answer, Answered, ClaimView, EventList, Form, JobView, STANDING, STATUS_VERSION, Standing, StatusView,
};
pub use canonical::{canonical, fingerprint};
pub use command::{
    Call, CancelJob, Change, Claim, ClaimMany, Command, Create, Guard, Guards, Holder, ListExpired, Lose,
    Operate, Recover, SettleAndClaim, Stamp,
};
pub use decision::{DECISION_VERSION, Decision, Gates, QUEUED};
pub use error::{Action, Error, Identifier, Refusal};
pub use event::{EVENT_VERSION, Event, EventBody};
pub use identifier::{EXECUTOR_UNITS_MAX, IDENTIFIER_UNITS_MAX, Incarnation, JobId, LeaseToken};
pub use job_error::JobError;
pub use job_result::{JobResult, METRICS_BYTES_MAX};
pub use knob::{KNOBS, Kind, Knob};
pub use lease::Lease;
pub use policy::Policy;
pub use presence::{Announcement, Health, WORKER_VERSION, WorkerView};
pub use record::{CancelRequest, Ending, Key, PastAttempt, RECORD_VERSION, Record, Spec};
pub use reply::{Claimed, ClaimedMany, Created, EventPage, Grant, Operated, QueueStats, Reply};
pub use request::{
    INPUT_REFS_MAX, INSTRUCTION_UNITS_MAX, KEY_UNITS_MAX, METADATA_BYTES_MAX, REQUEST_VERSION, Reference,
    Request, SUBJECT_UNITS_MAX, TASK_TYPE_UNITS_MAX,
};
pub use rules::Rules;
pub use service::{FlightId, Service, ServiceEffect, ServiceInput};
pub use service_request::{ClaimRequest, LeaseOperation, LeaseRequest, ServiceRequest};
pub use settings::{AdmissionPolicy, Settings};
pub use status::{Status, StatusSet};
pub use table::{Order, RememberedClaim, Table, Touched};
pub use text::Text;
pub use wire::{CLAIM_EXECUTORS_MAX, Drawn, EVENT_PAGE_MAX, PROGRESS_BYTES_MAX};
