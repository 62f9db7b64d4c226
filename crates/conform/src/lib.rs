//! Conformance: what every store of the job protocol must do, whoever wrote it.
//!
//! A [`Subject`] opens a store, empty, as often as it is asked, with a clock that is set. [`conform`] then holds it
//! to the meaning of the store contract:
//!
//! | part | what is compared |
//! | --- | --- |
//! | vectors | every golden vector of the job protocol, under `original` with the recorded answers, under `hardened` with those of [`Table`](holdover_jobs::Table) |
//! | differential | random histories under random rules, call by call with `Table` |
//! | concurrent | calls made at once: some order of them must explain every reply, and what is stored in the end |
//! | edges | nothing, the bounds of ids, Unicode, times at 0 and 2^53-1 |
//!
//! ```no_run
//! # use holdover_conform::{ManualClock, Options, Subject, conform};
//! # use holdover_jobs::{Order, Table};
//! # use holdover_store::{MemoryStore, StoreError};
//! struct Mine;
//!
//! impl Subject for Mine {
//!     type Store = MemoryStore;
//!
//!     async fn open(&self, order: Order, clock: ManualClock) -> Result<MemoryStore, StoreError> {
//!         Ok(MemoryStore::new(Table::new(order), clock))
//!     }
//! }
//!
//! let report = conform(&Mine, &Options::default());
//! assert!(report.passed(), "{report}");
//! ```

mod differential;
mod draws;
mod edges;
mod failure;
mod manual_clock;
mod options;
mod part;
mod report;
mod subject;
mod vectors;

pub use failure::Failure;
pub use manual_clock::ManualClock;
pub use options::Options;
pub use part::Part;
pub use report::{PartReport, Report};
pub use subject::Subject;

/// Holds a store to the contract, part by part. Each part opens its stores anew; a part goes on after a failure
/// only where the next store is a fresh one.
pub fn conform<S: Subject>(subject: &S, options: &Options) -> Report {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return Report::of_failure(Failure::of("the runtime does not start", &error)),
    };
    let mut report = Report::default();
    for part in options.parts.iter().copied() {
        report.parts.push(match part {
            Part::Vectors => vectors::run(subject, &runtime),
            Part::Differential => differential::run(subject, &runtime, options),
            Part::Concurrent => differential::run_concurrently(subject, &runtime, options),
            Part::Edges => edges::run(subject, &runtime),
        });
    }
    report
}

/// A test module that holds a store to the contract: `store_conformance!(name, subject)`, a test for each part.
#[macro_export]
macro_rules! store_conformance {
    ($name:ident, $subject:expr) => {
        mod $name {
            use super::*;

            fn check(part: $crate::Part) {
                let options = $crate::Options { parts: vec![part], ..$crate::Options::default() };
                let report = $crate::conform(&$subject, &options);
                assert!(report.passed(), "{report}");
            }

            /// Goal: the golden vectors are answered as recorded.
            #[test]
            fn vectors() {
                check($crate::Part::Vectors);
            }

            /// Goal: random histories are answered as the meaning of the contract answers them.
            #[test]
            fn differential() {
                check($crate::Part::Differential);
            }

            /// Goal: calls made at once are answered as if one had come after the other.
            #[test]
            fn concurrent() {
                check($crate::Part::Concurrent);
            }

            /// Goal: the bounds of what can be stored are stored.
            #[test]
            fn edges() {
                check($crate::Part::Edges);
            }
        }
    };
}
