//! Golden vectors: a file holds a scenario and the answers that a protocol must give to each of its steps.
//!
//! A file names its format in the member `format`. One [`Format`] per protocol knows how to carry the steps out;
//! this crate finds the files, hands each to its format and reports where answers differ. To add a format,
//! implement [`Format`] in a module of its own and list it in [`formats`].
//!
//! The answers are those of the original variant. Where hardened gives others, a [`Difference`] names the knobs
//! that each is owed to; `tests/golden/jobs-hardened.txt` keeps the one of the job protocol.

mod compare;
mod difference;
mod format;
mod jobs;
mod offers;
mod recovery;
mod report;
mod run;
mod runs;
mod walk;

pub use compare::compare;
pub use difference::{Difference, DifferenceError, DifferingStep};
pub use format::{Format, FormatError, Mismatch};
pub use jobs::run_on;
pub use report::{FileFailure, Report, Why};
pub use run::{RunError, run_all, run_all_with};
pub use walk::{WalkError, walk};

/// Every format that this build can run.
pub fn formats() -> &'static [&'static dyn Format] {
    &[&jobs::Jobs, &offers::Offers, &offers::OfferRecovery, &recovery::Recovery, &runs::Runs]
}
