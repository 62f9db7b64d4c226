//! The simulated worlds: actors, network, clocks and faults around the protocol crates' machines, the invariants
//! that watch them, and the scenarios that the command line can run.

pub mod jobs;

use holdover::AnyScenario;

/// Every scenario, by the order in which a plain run takes them.
pub fn scenarios() -> Vec<&'static dyn AnyScenario> {
    vec![&jobs::Jobs]
}
