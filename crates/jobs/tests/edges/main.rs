//! Goal: times and counts at the ends of their ranges: the first and last instants that JSON numbers keep exactly, no
//! span and the longest, the first loss and the two thousand millionth.

mod back_off;
mod lease;
mod restore;
mod ring;
mod single;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The same cases on every run.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}
