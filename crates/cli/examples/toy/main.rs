//! A program with scenarios of its own: the smallest use of the command line, and what its tests run.

mod lease;

use std::process::ExitCode;

fn main() -> ExitCode {
    holdover_cli::main(lease::SCENARIOS)
}
