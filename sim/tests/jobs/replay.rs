//! Goal: replay is total and a world is its actions: any part of a recorded history, in any order, is a run, and
//! the same actions give the same world.

use crate::support::{VARIANTS, recorded, runner, world};
use holdover::{Applied, Observer, Step, World};
use holdover_sim::jobs::{Action, Config, JobsWorld};
use proptest::prelude::*;

const SEEDS: u64 = 24;

/// The actions on a fresh world, and which of them were carried out.
fn play(variant: &str, config: &Config, steps: &[Step<Action>]) -> (JobsWorld, Observer, Vec<Applied>) {
    let (mut world, mut observer) = (world(variant, config), Observer::new());
    let applied = steps.iter().map(|step| world.apply(step, &mut observer)).collect();
    (world, observer, applied)
}

/// Any part of a history, in its order or any other, is carried out or skipped, heals, and repeats exactly.
#[test]
fn any_part_in_any_order_is_a_run() {
    let histories: Vec<_> = (1..=SEEDS).map(|seed| recorded(VARIANTS[seed as usize % 2], seed)).collect();
    let cases = (0..histories.len(), any::<bool>(), any::<prop::sample::Selector>(), 0..=VARIANTS.len() - 1);
    let verdict =
        runner(300).run(&(cases, any::<u64>()), |((which, keep_order, selector, variant), mask)| {
            let (config, history) = &histories[which];
            let mut steps: Vec<_> = (history.iter().enumerate())
                .filter(|(place, _)| mask >> (place % 64) & 1 == 1)
                .map(|(_, step)| step.clone())
                .collect();
            if !keep_order {
                let mut left = steps;
                steps = Vec::new();
                while !left.is_empty() {
                    let place = selector.select(0..left.len());
                    steps.push(left.swap_remove(place));
                }
            }
            let number = history.len() as u32 + 1;
            steps.push(Step { number, action: Action::Heal });
            let (first, counted, applied) = play(VARIANTS[variant], config, &steps);
            prop_assert_eq!(applied.last(), Some(&Applied::Done));
            let (second, again, _) = play(VARIANTS[variant], config, &steps);
            prop_assert_eq!(first.fingerprint(), second.fingerprint());
            prop_assert_eq!(counted.digest(), again.digest());
            Ok(())
        });
    verdict.expect("every part is a run");
}

/// The hardened variant holds on every part of every history: what a fault-free replay of half a run does is
/// within the promise as well.
#[test]
fn hardened_holds_on_every_part() {
    let histories: Vec<_> = (1..=SEEDS).map(|seed| recorded("original", seed)).collect();
    let verdict = runner(300).run(&(0..histories.len(), any::<u64>()), |(which, mask)| {
        let (config, history) = &histories[which];
        let kept = history.iter().enumerate().filter(|(place, _)| mask >> (place % 64) & 1 == 1);
        let mut steps: Vec<_> = kept.map(|(_, step)| step.clone()).collect();
        steps.push(Step { number: history.len() as u32 + 1, action: Action::Heal });
        let (world, _, _) = play("hardened", config, &steps);
        prop_assert!(world.violations().is_empty(), "{:?}", world.violations());
        Ok(())
    });
    verdict.expect("hardened holds");
}

/// Goal: a copy goes the same way as its original, and leaves the original as it was, also one over another world.
#[test]
fn a_copy_goes_the_same_way() {
    let mut copy: Option<JobsWorld> = None;
    for variant in VARIANTS {
        for seed in 1..=SEEDS {
            let (config, steps) = recorded(variant, seed);
            let (first, second) = steps.split_at(steps.len() / 2);
            let (mut world, mut observer, _) = play(variant, &config, first);
            let before = world.fingerprint();
            let mut copied = observer.clone();
            let copy = match &mut copy {
                Some(copy) => {
                    copy.clone_from(&world);
                    copy
                }
                none => none.insert(world.clone()),
            };
            for step in second {
                copy.apply(step, &mut copied);
            }
            assert_eq!(world.fingerprint(), before, "{variant}, seed {seed}");
            for step in second {
                world.apply(step, &mut observer);
            }
            assert_eq!(world.fingerprint(), copy.fingerprint(), "{variant}, seed {seed}");
            assert_eq!(observer.digest(), copied.digest(), "{variant}, seed {seed}");
            assert_eq!(world.simulated_ms(), copy.simulated_ms(), "{variant}, seed {seed}");
        }
    }
}
