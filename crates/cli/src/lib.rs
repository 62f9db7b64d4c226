//! The command line of Holdover.
//!
//! [`main`] is a whole program: hand it your scenarios and it campaigns, replays and lists them.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     let scenarios: &[&dyn holdover::AnyScenario] = &[];
//!     holdover_cli::main(scenarios)
//! }
//! ```
//!
//! [`run`] is the same without a process around it: arguments and a [`Console`] in, an [`Exit`] out. Results go to
//! standard output, narration to standard error.

mod arguments;
mod bench;
mod check;
mod choose;
mod conform;
mod console;
mod digest;
mod engines;
mod error;
mod exit;
mod explore;
mod frontier;
mod keep;
mod list;
mod merge;
mod number;
mod outlet;
mod process;
mod replay;
mod run;
mod selftest;
mod serve;
mod sim;
mod store;
mod threads;
mod torture;
mod vectors;

pub use console::Console;
pub use engines::Engines;
pub use exit::Exit;
pub use process::{main, main_with};
pub use run::{run, run_with};
