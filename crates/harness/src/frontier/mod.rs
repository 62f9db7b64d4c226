//! How much of an error a protocol stands: for each kind of error the sizes of a ladder are tried one after the
//! other, and for each invariant it is kept up to which size it held and at which it fell.
//!
//! A campaign asks whether anything falls within the promise. A frontier goes beyond the promise on purpose, with one
//! kind of error at a time, and asks how far.

mod any_frontier;
mod limit;
mod measure;
mod options;
mod report;
mod subject;
mod table;

pub use any_frontier::AnyFrontier;
pub use limit::Limit;
pub use measure::{frontier, frontier_row};
pub use options::FrontierOptions;
pub use report::{FrontierReport, FrontierRow, OverlapAt};
pub use subject::{ErrorKind, Frontier, Schedule, ScheduleOf};
