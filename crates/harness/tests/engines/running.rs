//! A run is decided by its seed alone, and recording it changes nothing.

use crate::toy::{Action, trial};
use holdover::{Rng, Weights, record, run};

/// The same seed gives the same digest and violations, recorded or not; another seed gives another digest.
#[test]
fn a_seed_decides_everything() {
    let trial = trial("heartbeat-ignores-token");
    for seed in 0..50 {
        let (once, twice, (recorded, _)) = (run(&trial, seed), run(&trial, seed), record(&trial, seed));
        for other in [&twice, &recorded] {
            assert_eq!(once.observer.digest(), other.observer.digest(), "seed {seed}");
            assert_eq!(once.violations, other.violations, "seed {seed}");
            assert_eq!(once.simulated_ms, other.simulated_ms, "seed {seed}");
        }
        assert!(once.observer.answers().is_empty() && !recorded.observer.answers().is_empty(), "seed {seed}");
        assert!(once.observer.lines().is_empty() && !recorded.observer.lines().is_empty(), "seed {seed}");
        assert_ne!(once.observer.digest(), run(&trial, seed + 1).observer.digest(), "seed {seed}");
    }
}

/// Applied actions are numbered from 1 without a gap, and the last one stops the faults.
#[test]
fn recorded_actions_are_numbered_and_end_with_heal() {
    for seed in 0..20 {
        let (_, trace) = record(&trial("sound"), seed);
        let numbers: Vec<u32> = trace.steps.iter().map(|step| step.number).collect();
        assert_eq!(numbers, (1..=trace.steps.len() as u32).collect::<Vec<_>>());
        let heals: Vec<usize> =
            (0..trace.steps.len()).filter(|&index| trace.steps[index].action == Action::Heal).collect();
        assert_eq!(heals, [trace.steps.len() - 1]);
    }
}

/// A run goes on after a violation, so that the recovery at its end is still judged.
#[test]
fn a_run_goes_on_after_a_violation() {
    let trial = trial("heartbeat-ignores-token");
    let broken = (0..200).map(|seed| run(&trial, seed)).filter(|run| !run.violations.is_empty());
    let recoveries: Vec<usize> = broken.map(|run| run.observer.recoveries().len()).collect();
    assert!(recoveries.len() > 10 && recoveries.iter().all(|&count| count == 1), "{recoveries:?}");
}

/// Swarm weights turn each kind off now and then, a vital kind never, and none beyond four times its weight.
#[test]
fn swarm_weights_keep_vital_kinds() {
    let mut rng = Rng::from_seed(1);
    let mut seen = [[0_u32; 5]; 2];
    for _ in 0..1_000 {
        let weights = Weights::swarm(&mut rng, &[10, 10], &[0]);
        for (kind, seen) in seen.iter_mut().enumerate() {
            let place = [0, 5, 10, 20, 30, 40].iter().position(|&weight| weight == weights.of(kind));
            match place.expect("off, halved, as it is, or up to four times") {
                place @ 0..=3 => seen[place] += 1,
                _ => seen[4] += 1,
            }
        }
    }
    assert_eq!(seen[0][0], 0, "a vital kind is never off");
    assert!((280..390).contains(&seen[1][0]), "one case in three is off: {seen:?}");
    assert!(seen.iter().all(|kind| kind[1..].iter().all(|&count| count > 50)), "{seen:?}");
}
