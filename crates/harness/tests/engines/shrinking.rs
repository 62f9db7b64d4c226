//! Failures shrink to the shortest that is known for each planted bug, or to one action more.

use crate::script::{Action, Rule, Script};
use crate::toy::{PLANTED, ToyLease, failures, trial};
use holdover::{Deciding, Step, TraceOf, Trial, Verdict, record, replay, shrink};

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

/// Waits before and after the first `Left`, and in all.
fn waits(steps: &[Step<Action>]) -> Option<(u32, u32)> {
    let left = steps.iter().position(|step| step.action == Action::Left)?;
    let sum = |steps: &[Step<Action>]| {
        let waits = steps.iter().map(|step| if let Action::Wait(ms) = step.action { ms } else { 0 });
        waits.sum::<u32>()
    };
    Some((sum(&steps[..left]), sum(steps)))
}

/// What a rule over a list of actions shrinks to: simplifying never goes in a circle, two actions become one in
/// whichever place fails, two go together, and new numbers are taken only where everything stays possible.
#[test]
fn shrinking_by_hand() {
    use Action::{After, Left, Right, Wait};
    type Case = (&'static str, Rule, Vec<(u32, Action)>, Vec<(u32, Action)>);
    let cases: [Case; 5] = [
        (
            "a circle ends",
            |steps| steps.iter().any(|step| matches!(step.action, Left | Right)).then_some("ant"),
            vec![(1, Wait(1)), (2, Left), (3, Wait(1))],
            vec![(1, Right)],
        ),
        (
            "merged where the second was",
            |steps| waits(steps).filter(|(before, all)| *before == 0 && *all >= 4).map(|_| "ant"),
            vec![(1, Left), (2, Wait(2)), (3, Wait(2)), (4, Wait(2))],
            vec![(1, Left), (2, Wait(4))],
        ),
        (
            "merged where the first was",
            |steps| waits(steps).filter(|(before, all)| *before >= 2 && *all >= 4).map(|_| "ant"),
            vec![(1, Wait(2)), (2, Left), (3, Wait(2))],
            vec![(1, Wait(4)), (2, Left)],
        ),
        (
            "a pair goes together",
            |steps| {
                let after = steps.iter().filter(|step| matches!(step.action, After(_))).count();
                (steps.last().is_some_and(|step| step.action == Left) && after % 2 == 0).then_some("ant")
            },
            vec![(1, Wait(1)), (2, After(1)), (3, Wait(1)), (4, After(1)), (5, Left)],
            vec![(1, Left)],
        ),
        (
            "names that do not follow keep their numbers",
            |steps| {
                let named = steps.iter().any(|step| matches!(step.action, After(_)));
                let first = steps.iter().any(|step| step.number == 1 && step.action == Wait(1));
                (named || first).then_some("ant")
            },
            vec![(3, Wait(1)), (4, Left), (5, After(3))],
            vec![(3, Wait(1)), (5, After(3))],
        ),
    ];
    for (name, rule, actions, expected) in cases {
        let script = Script(rule);
        let mut trace = script.trace(&actions);
        trace.deciding = Some(Deciding { step: 1, answer: "no".to_owned() });
        let shrunk = shrink(&script.trial(), &trace, REPLAYS).expect(name);
        assert_eq!(shrunk.trace.steps, script.trace(&expected).steps, "{name}");
        assert_eq!(shrunk.trace.deciding, None, "{name}: the step may be gone or have another number");
        assert!(!shrunk.exhausted, "{name}");
    }
}
