//! Failures shrink to the shortest that is known for each planted bug, or to one action more.

use crate::toy::{PLANTED, ToyLease, failures, trial};
use holdover::{TraceOf, Trial, Verdict, record, replay, shrink};

const SEEDS: usize = 30;
const REPLAYS: u32 = 5_000;

/// Whether the trace without the steps at these places still fails.
fn fails_without(trial: &Trial<'_, ToyLease>, trace: &TraceOf<ToyLease>, places: &[usize]) -> bool {
    let kept = trace.steps.iter().enumerate().filter(|(place, _)| !places.contains(place));
    let steps = kept.map(|(_, step)| step.clone()).collect();
    replay(trial, &TraceOf::<ToyLease> { steps, ..trace.clone() }).verdict == Verdict::Reproduced
}

/// Each planted bug shrinks to near its optimum, in at most some hundred replays; no action and no two actions
/// can be taken out, none is skipped, the last one violates, and they are numbered from 1.
#[test]
fn planted_bugs_shrink_to_the_known_optimum() {
    for (variant, invariant, optimum) in PLANTED {
        let trial = trial(variant);
        let mut best = usize::MAX;
        for trace in failures(&trial, invariant, SEEDS) {
            let shrunk = shrink(&trial, &trace, REPLAYS).expect("it fails when replayed");
            let small = &shrunk.trace;
            let case = format!("{variant} seed {:?}: {small:?}", trace.seed);
            let size = small.steps.len();
            best = best.min(size);
            assert!(!shrunk.exhausted && shrunk.replays < 400, "{} replays, {case}", shrunk.replays);
            assert_eq!(shrunk.recorded, trace.steps.len());
            assert!(size <= optimum + 1, "{case}");
            for first in 0..size {
                for second in first..size {
                    assert!(!fails_without(&trial, small, &[first, second]), "{first} {second} {case}");
                }
            }
            let shown = replay(&trial, small);
            assert!(shown.skipped.is_empty(), "{case}");
            let violation = shown.violations.of(invariant).expect("the same invariant");
            assert_eq!(violation.step as usize, size, "{case}");
            assert!(small.steps.iter().zip(1..).all(|(step, number)| step.number == number), "{case}");
        }
        assert_eq!(best, optimum, "{variant}");
    }
}

/// The same trace shrinks the same way every time.
#[test]
fn shrinking_is_deterministic() {
    let trial = trial("heartbeat-ignores-token");
    for trace in failures(&trial, "renewed-by-holder", 5) {
        assert_eq!(shrink(&trial, &trace, REPLAYS), shrink(&trial, &trace, REPLAYS));
    }
}

/// However few replays there are, what comes out still fails; it says when it had to stop, and keeps to the number.
#[test]
fn replays_are_bounded() {
    let trial = trial("heartbeat-ignores-token");
    let trace = failures(&trial, "renewed-by-holder", 1).next().expect("a failure");
    let enough = shrink(&trial, &trace, REPLAYS).expect("it fails").replays;
    for replays in [2, 3, 10, 30, enough] {
        let shrunk = shrink(&trial, &trace, replays).expect("it fails");
        assert_eq!(replay(&trial, &shrunk.trace).verdict, Verdict::Reproduced, "{replays}");
        assert_eq!(shrunk.exhausted, replays < enough, "{replays}");
        assert!(shrunk.replays <= replays, "{} of {replays}", shrunk.replays);
    }
}

/// A trace that violates nothing, or not what it says, cannot be shrunk.
#[test]
fn a_trace_that_holds_does_not_shrink() {
    let trial = trial("sound");
    let (_, mut trace) = record(&trial, 1);
    assert_eq!(shrink(&trial, &trace, REPLAYS), None);
    trace.violates = Some("converges".to_owned());
    assert_eq!(shrink(&trial, &trace, REPLAYS), None);
}
