//! Traces are written and read back, and what is no trace is refused in one clear line.

use crate::toy::{PLANTED, ToyLease, failures, trial};
use holdover::{AnyScenario, Deciding, TraceOf, record, scenario_of_trace};

type Trace = TraceOf<ToyLease>;

/// What is written is what is read, every member of it; each step has a line of its own.
#[test]
fn a_trace_survives_its_text() {
    let (variant, invariant, _) = PLANTED[0];
    let trial = trial(variant);
    let mut trace = failures(&trial, invariant, 1).next().expect("a failure");
    trace.deciding = Some(Deciding { step: 3, answer: "stale_token".to_owned() });
    let unnamed = Trace { violates: None, deciding: None, seed: None, ..trace.clone() };
    for trace in [trace, unnamed] {
        let text = trace.to_json();
        assert_eq!(Trace::parse(&text, "toy-lease"), Ok(trace.clone()));
        let lines = text.lines().filter(|line| line.starts_with("    {\"n\":")).count();
        assert_eq!(lines, trace.steps.len());
    }
}

/// Each fault of a text is told in one line that says what is wrong.
#[test]
fn what_is_no_trace_is_refused() {
    let text = record(&trial("sound"), 3).1.to_json();
    let cases = [
        ("", "", "malformed trace: EOF while parsing a value at line 1 column 0"),
        ("[1]", "", "malformed trace: invalid type: integer `1`, expected a string at line 1 column 2"),
        (
            "trace-v1",
            "trace-v9",
            "the trace has schema `holdover-trace-v9`; this version reads `holdover-trace-v1`",
        ),
        ("toy-lease", "other", "the trace is of scenario `other`, not of `toy-lease`"),
        (
            "\"workers\":2",
            "\"workers\":-2",
            "malformed trace: invalid value: integer `-2`, expected usize at line 7 column 25",
        ),
        (
            "\"workers\":2",
            "\"worker\":2",
            "malformed trace: unknown field `worker`, expected `workers` or `fragile` at line 7 column 21",
        ),
        ("{\"wait\":", "{\"sleep\":", "unknown variant `sleep`"),
        ("\"n\":2,", "\"n\":1,", "malformed trace: step 1 stands after step 1; numbers must rise, from 1 on"),
        ("\"n\":1,", "\"n\":0,", "malformed trace: step 0 stands after step 0; numbers must rise, from 1 on"),
        ("\"seed\"", "\"sead\"", "unknown field `sead`"),
        (
            "\"sound\"",
            "\"loud\"",
            "scenario toy-lease has no variant `loud`; it has sound, heartbeat-ignores-token",
        ),
    ];
    for (from, to, message) in cases {
        let broken = match to {
            "" => from.to_owned(),
            _ => text.replacen(from, to, 1),
        };
        let error = ToyLease.replay(&broken, None).expect_err(message).to_string();
        assert!(error.contains(message), "{from} -> {to}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

/// A trace finds its scenario among many; one of an unknown scenario says which there are.
#[test]
fn a_trace_names_its_scenario() {
    let text = record(&trial("sound"), 3).1.to_json();
    let scenarios: [&dyn AnyScenario; 1] = [&ToyLease];
    assert_eq!(scenario_of_trace(&scenarios, &text).map(|scenario| scenario.id()), Ok("toy-lease"));
    let error = scenario_of_trace(&scenarios, &text.replace("toy-lease", "other")).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "the trace is of scenario `other`, which is none of toy-lease");
}
