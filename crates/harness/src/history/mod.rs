//! Histories: what was asked and answered, as the askers saw it, and what can be said of it without anything else.
//!
//! An engine without a world of actions (real shells on a simulated runtime, real processes) cannot look inside; but
//! everybody who asks can note when it asked and what it was told ([`Recorder`]). The events have the members that are
//! customary for histories: `index`, `time` in nanoseconds, `process`, `type` (`invoke`, `ok`, `fail`, `info`), `f`,
//! `value`, `error`, one JSON object a line. `docs/history.md` describes them.
//!
//! [`HistoryCheck`] judges a history in one pass. The rules of leases come first, because their sentences are easy to
//! read; the verdict is whether the operations on each job are linearizable ([`Linearizer`], [`LeaseObject`]). Jobs are
//! judged one by one: an operation changes one job, and a claim is a grant of one job or of none.
//!
//! An operation that was never answered stays in the history: it may have been carried out at any time after it was
//! asked for. Two operations are in an order only where one had returned before the other was invoked.

mod check;
mod error;
mod event;
mod found_nothing;
mod job_check;
mod kind;
mod lease_object;
mod lease_rules;
mod linearizer;
mod model;
mod moments;
mod operation;
mod reader;
mod recorder;
mod report;
mod told;
mod unexplained;
mod verdict;

pub use check::HistoryCheck;
pub use error::HistoryError;
pub use event::{HistoryEvent, Type};
pub use kind::OperationKind;
pub use lease_object::{LeaseObject, LeaseOperation, LeaseState};
pub use lease_rules::check_leases;
pub use linearizer::{Linearizer, Pending};
pub use model::Model;
pub use operation::{Operation, operations};
pub use reader::HistoryReader;
pub use recorder::Recorder;
pub use report::HistoryReport;
pub use told::Told;
pub use unexplained::Unexplained;
pub use verdict::HistoryVerdict;
