//! The command line that `cargo sim` and `cargo holdover` run.

use holdover_cli::Engines;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (worlds, shells) = (holdover_sim::scenarios(), holdover_sim_madsim::scenarios());
    holdover_cli::main_with(&Engines::worlds(&worlds).with("madsim", &shells))
}
