//! Goal: whatever comes in, in any order and at any time, a coordinator does not panic, wants nothing outside the
//! tables of the judge and keeps its safety rules, across restarts. Where neither storage nor a recovery failed, a
//! cancel ends everything that is open.

mod judge;
mod world;

use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::{cell::RefCell, collections::BTreeSet};
use world::{Move, World};

const INPUTS: u32 = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// A little less than the average, so that there are enough in all; a sequence shrinks to nothing.
const INPUTS_PER_CASE: u32 = 98;
const INPUTS_PER_CASE_MAX: usize = 200;

/// The moves, weighted so that runs get far: most answer what is outstanding, few end a run.
fn moves() -> impl Strategy<Value = Move> {
    let byte = any::<u8>;
    let pair = (byte(), byte());
    prop_oneof![
        40 => byte().prop_map(Move::Store),
        20 => pair.prop_map(|(which, outcome)| Move::Runtime { which, outcome }),
        14 => pair.prop_map(|(route, caller)| Move::Request { route, caller }),
        6 => byte().prop_map(Move::Announce),
        8 => byte().prop_map(Move::Emit),
        4 => byte().prop_map(Move::WantApproval),
        1 => byte().prop_map(Move::AbortWait),
        3 => pair.prop_map(|(which, bytes)| Move::Consume { which, bytes }),
        1 => byte().prop_map(Move::CancelStream),
        1 => byte().prop_map(Move::Disconnect),
        2 => Just(Move::Alarm),
        1 => Just(Move::Restart),
        2 => byte().prop_map(Move::Stray),
    ]
}

fn times() -> impl Strategy<Value = i64> {
    prop_oneof![8 => 0..60_000_i64, 1 => Just(i64::MIN), 1 => Just(i64::MAX)]
}

#[test]
fn any_input_is_survived_and_judged() {
    let config = Config { cases: INPUTS / INPUTS_PER_CASE, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let seen = RefCell::new(BTreeSet::new());
    let verdict = runner.run(&vec((times(), moves()), 0..=INPUTS_PER_CASE_MAX), |moves| {
        let mut world = World::new();
        for (now, next) in moves {
            world.play(now, next);
        }
        world.end();
        seen.borrow_mut().extend(world.judge.seen);
        Ok(())
    });
    verdict.expect("every sequence keeps the rules");
    if !cfg!(debug_assertions) {
        assert_eq!(seen.into_inner(), judge::table(), "every line of the tables was reached");
    }
}
