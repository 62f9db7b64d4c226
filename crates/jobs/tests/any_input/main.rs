//! Goal: whatever comes in over the wire, reading it does not panic and keeps its bounds; whatever a table is told,
//! in any order and at any time, its indexes and logs stay those of its records.

mod commands;
mod wire;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The same cases on every run.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}
