#![doc = include_str!("../docs/story.md")]
//!
#![doc = include_str!("../docs/decisions.md")]
//!
#![doc = include_str!("../docs/crashes.md")]

mod attempt;
mod candidate;
mod effect;
mod error;
mod fingerprint;
mod input;
mod page;
mod pass;
mod reconcile;
pub mod rules;
mod run;
mod snapshot;
mod step;
mod summary;
mod time;
mod verify;

pub use attempt::{Attempt, AttemptStatus};
pub use candidate::Candidate;
pub use effect::{Effect, RecordRunning, Recover, RecoverReason};
pub use error::{ConfigError, PassError};
pub use input::{
    Aggregate, Answer, EventIds, Input, Inspection, Receipt, Recording, Recovery, UnknownReason,
};
pub use page::{Page, PageError};
pub use pass::Pass;
pub use rules::Rules;
pub use run::{ExecutionOwner, Run, RunStatus};
pub use snapshot::Snapshot;
pub use summary::Summary;

/// The most candidates that one page holds.
pub const CANDIDATES_MAX: usize = 64;

/// The kind of executor whose attempts the pass looks at.
pub const EXECUTOR_TYPE: &str = "local_process";
