//! Replay is total, and tells a failure that came again from one that did not and from one that cannot.

use crate::toy::{Action, PLANTED, ToyLease, failures, trial};
use holdover::{AnyScenario, Deciding, Step, TraceOf, Trial, Verdict, record, replay, shrink};
use proptest::prelude::*;

fn shrunk(variant: &str, invariant: &str) -> (Trial<'static, ToyLease>, TraceOf<ToyLease>) {
    let trial = trial(variant);
    let trace = failures(&trial, invariant, 1).next().expect("a failure");
    let small = shrink(&trial, &trace, 5_000).expect("it fails when replayed").trace;
    (trial, small)
}

/// A recorded run replays to the same digest, violations, lines and answers.
#[test]
fn a_recorded_run_replays_as_it_was() {
    for (variant, _, _) in PLANTED {
        let trial = trial(variant);
        for seed in 0..50 {
            let (run, trace) = record(&trial, seed);
            let replay = replay(&trial, &trace);
            assert_eq!(replay.observer.digest(), run.observer.digest(), "{variant} {seed}");
            assert_eq!(replay.violations, run.violations, "{variant} {seed}");
            assert_eq!(replay.observer.lines(), run.observer.lines(), "{variant} {seed}");
            assert_eq!(replay.observer.answers(), run.observer.answers(), "{variant} {seed}");
            assert!(replay.skipped.is_empty(), "{variant} {seed}");
        }
    }
}

/// Under the faulty rules a failure is reproduced, under the sound ones it is not.
#[test]
fn sound_rules_do_not_reproduce() {
    for (variant, invariant, _) in PLANTED {
        let (faulty, trace) = shrunk(variant, invariant);
        assert_eq!(replay(&faulty, &trace).verdict, Verdict::Reproduced, "{variant}");
        let verdict = replay(&trial("sound"), &trace).verdict;
        assert_eq!(verdict, Verdict::NotReproduced, "{variant}");
    }
}

/// A step that has become impossible makes the trace no longer applicable, and says which step it is.
#[test]
fn an_impossible_step_is_named() {
    let (trial, mut trace) = shrunk("heartbeat-ignores-token", "renewed-by-holder");
    let last = trace.steps.last().expect("steps").number;
    let lost = Step { number: last + 5, action: Action::Lose { sent: 77 } };
    trace.steps.pop();
    trace.steps.push(lost);
    let replay = replay(&trial, &trace);
    assert_eq!(replay.verdict, Verdict::NoLongerApplicable { step: last + 5 });
    assert_eq!(replay.skipped, [last + 5]);
}

/// A trace that names no invariant is reproduced by any violation, and by nothing else.
#[test]
fn a_trace_that_names_no_invariant() {
    let (faulty, mut trace) = shrunk("heartbeat-ignores-token", "renewed-by-holder");
    trace.violates = None;
    assert_eq!(replay(&faulty, &trace).verdict, Verdict::Reproduced);
    assert_eq!(replay(&trial("sound"), &trace).verdict, Verdict::NotReproduced);
}

/// The deciding action of a kept trace is refused by the sound rules with the answer that was recorded, and
/// nothing before it is skipped.
#[test]
fn the_deciding_action_is_refused() {
    let (_, trace) = shrunk("heartbeat-ignores-token", "renewed-by-holder");
    let step = trace.steps.last().expect("steps").number;
    let impossible = |number| Step { number, action: Action::Lose { sent: 77 } };
    let before = [&[impossible(1)], renumbered(&trace.steps, 1).as_slice()].concat();
    let after = [trace.steps.as_slice(), &[impossible(step + 1)]].concat();
    let cases = [
        (trace.steps.clone(), step, "stale_token", true),
        (trace.steps.clone(), step, "ok", false),
        (before, step + 1, "stale_token", false),
        (after, step, "stale_token", true),
    ];
    for (steps, step, answer, decided) in cases {
        let deciding = Some(Deciding { step, answer: answer.to_owned() });
        let text = TraceOf::<ToyLease> { steps, deciding, ..trace.clone() }.to_json();
        let report = ToyLease.replay(&text, Some("sound")).expect("a trace");
        assert_eq!(report.decided, Some(decided), "{text}");
    }
}

/// The steps with numbers that are higher by `by`.
fn renumbered(steps: &[Step<Action>], by: u32) -> Vec<Step<Action>> {
    let higher = |number| Some(number + by);
    let steps = steps.iter();
    steps.map(|step| Step { number: step.number + by, action: step.action.renumbered(&higher) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any part of any run is itself a run: nothing panics, and what was skipped has changed nothing.
    #[test]
    fn every_part_of_a_trace_replays(seed in 0..500_u64, keep in prop::collection::vec(any::<bool>(), 210)) {
        let trial = trial("complete-after-recovery");
        let (_, mut trace) = record(&trial, seed);
        let mut keep = keep.into_iter();
        trace.steps.retain(|_| keep.next().unwrap_or(false));
        let whole = replay(&trial, &trace);
        trace.steps.retain(|step| !whole.skipped.contains(&step.number));
        let applied = replay(&trial, &trace);
        prop_assert!(applied.skipped.is_empty());
        prop_assert_eq!(applied.observer.digest(), whole.observer.digest());
        prop_assert_eq!(applied.violations, whole.violations);
    }
}
