//! Goal: a table does what the contract says. The contract is read a second time in [`contract`], for clarity alone:
//! a list of jobs, scanned from end to end by every command, without an index, a cache or a shared record. Services
//! under any rules talk to both, with clocks that go either way, and both must answer the same; and so must a store of
//! records on which commands are carried out by steps.

mod contract;
mod record_list;
mod requests;
mod session;

use holdover_jobs::{KNOBS, Knob, Rules};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use proptest::{collection::vec, prelude::*, sample::subsequence};
use requests::{draws, settings};
use session::{OUTCOMES, Session};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The same cases on every run.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Table and contract agree on every reply, and in the end on every record and every log. Every outcome must come about
/// but those that these rules never give, so that agreeing on nothing does not count as agreeing.
fn agree(cases: u32, rules: impl Strategy<Value = Rules>, never: &[&str]) {
    let reached = RefCell::new(BTreeSet::new());
    let verdict =
        runner(cases).run(&(rules, settings(), vec(draws(), 1..160)), |(rules, settings, draws)| {
            let mut session = Session::new(rules, settings);
            for draw in &draws {
                session.carry_out(draw).map_err(TestCaseError::fail)?;
            }
            session.compare_all().map_err(TestCaseError::fail)?;
            reached.borrow_mut().append(&mut session.reached);
            Ok(())
        });
    verdict.expect("the table does what the contract says");
    let reached = reached.into_inner();
    let missing: Vec<&str> = OUTCOMES.into_iter().filter(|outcome| !reached.contains(*outcome)).collect();
    assert_eq!(missing, never, "what the sequences have not reached");
}

/// The rules of the source: no claim is numbered, no start is charged, no repeat is answered, no cancel waits.
#[test]
fn original() {
    let never = [
        "Unblocked",
        "GrantedAgain",
        "Stale",
        "Over",
        "AttemptSettled",
        "Repeated",
        "NeverStarted",
        "CancelRequested",
    ];
    agree(150, Just(Rules::ORIGINAL), &never);
}

/// Every weakness closed: renewals are no events.
#[test]
fn hardened() {
    agree(250, Just(Rules::hardened()), &["Heartbeat"]);
}

/// Any of the knobs: rules meet that no variant of a campaign brings together.
#[test]
fn any_knobs() {
    let knobs = subsequence(KNOBS.to_vec(), 0..=KNOBS.len());
    agree(250, knobs.prop_map(|knobs: Vec<Knob>| Rules::with(&knobs)), &[]);
}
