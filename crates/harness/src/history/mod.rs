//! Histories: what was asked and answered, as the askers saw it, and the rules that need nothing else.
//!
//! An engine without a world of actions (real shells on a simulated runtime, real processes) cannot look inside; but
//! everybody who asks can note when it asked and what it was told. The events have the members that are customary
//! for histories: `index`, `time` in nanoseconds, `process`, `type` (`invoke`, `ok`, `fail`, `info`), `f`, `value`,
//! `error`, one JSON object a line.
//!
//! An operation that was never answered stays in the history: it may have been carried out at any time after it was
//! asked for. Two operations are in an order only where one had returned before the other was invoked.

mod event;
mod lease_rules;
mod operation;
mod report;

pub use event::{HistoryEvent, Type};
pub use lease_rules::check_leases;
pub use operation::{Operation, operations};
pub use report::HistoryReport;
