//! Goal: whatever comes in, in any order, at any state and at any time, a receiver does not panic, wants nothing
//! outside the documented table, and every record that it writes keeps the invariants.

mod draw;
mod judge;

use crate::support::{at, offer, session};
use draw::{Draw, Material, draws};
use holdover_machine::Machine;
use holdover_offers::*;
use judge::{Judge, Pairs, documented_pairs};
use proptest::{
    collection::vec,
    test_runner::{Config as ProptestConfig, RngAlgorithm, TestRng, TestRunner},
};
use std::cell::RefCell;

const INPUTS: u32 = if cfg!(debug_assertions) { 50_000 } else { 1_000_000 };
const INPUTS_PER_CASE: u32 = 200;

/// Plays one sequence against a fresh receiver; `seen` collects what was asked for in which durable state.
fn play(material: &Material, draws: &[Draw], documented: &Pairs, seen: &mut Pairs) {
    let fresh = || Receiver::new(Config::default(), Rules::original());
    let (mut receiver, mut judge, mut effects) = (fresh(), Judge::new(documented), Vec::new());
    for (number, draw) in draws.iter().enumerate() {
        if draw.restarts() {
            (receiver, judge) = (fresh(), Judge::new(documented));
        }
        let input = draw.input(material, &judge, DeliveryId(number as u64));
        judge.input(&input);
        receiver.handle(at(draw.clock), input, &mut effects);
        effects.drain(..).for_each(|effect| judge.effect(&effect, seen));
    }
}

#[test]
fn any_input_is_survived_and_judged() {
    let cases = INPUTS / INPUTS_PER_CASE;
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (material, documented) = (Material::new(), documented_pairs());
    let seen = RefCell::new(Pairs::new());
    let verdict = runner.run(&vec(draws(), INPUTS_PER_CASE as usize), |inputs| {
        play(&material, &inputs, &documented, &mut seen.borrow_mut());
        Ok(())
    });
    verdict.expect("every sequence keeps the rules");
    assert_eq!(seen.into_inner(), documented, "everything in the table was reached, and nothing else");
}

/// Goal: an invalid offer is answered at once and no port hears of it.
#[test]
fn an_invalid_offer_reaches_no_port() {
    let mut receiver = Receiver::new(Config::default(), Rules::original());
    let mut effects = Vec::new();
    receiver.handle(at(0), Input::Session(Some(Box::new(session()))), &mut effects);
    let invalid =
        Box::new(Offer { worker: WorkerTarget { generation: 6, ..offer("a", 1).worker }, ..offer("a", 1) });
    receiver.handle(at(0), Input::Deliver { delivery: DeliveryId(1), offer: invalid }, &mut effects);
    let [Effect::Answer { result: Err(error), .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(error.to_string(), "invalid worker.generation: must be the lease's");
}
