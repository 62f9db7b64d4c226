//! The published `holdover` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    holdover_cli::main(&holdover_sim::scenarios())
}
