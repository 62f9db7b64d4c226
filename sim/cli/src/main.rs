//! The command line that `cargo sim` and `cargo holdover` run.

use std::process::ExitCode;

fn main() -> ExitCode {
    holdover_cli::main(&holdover_sim::scenarios())
}
