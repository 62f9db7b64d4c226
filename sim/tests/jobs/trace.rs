//! Goal: what is written of a run is what is read, and whatever a file holds, reading it as a trace is an answer and
//! no panic.

use crate::hostile::{action, config};
use crate::support::{VARIANTS, recorded, runner};
use holdover::{Deciding, Step, Trace, TraceOf};
use holdover_sim::jobs::{Action, Jobs};
use proptest::{collection::vec, option, prelude::*, sample::select};
use std::cell::Cell;

type JobsTrace = TraceOf<Jobs>;

/// Steps whose numbers rise by so much each.
fn numbered(steps: Vec<(u32, Action)>) -> Vec<Step<Action>> {
    let mut number = 0;
    let step = |(by, action)| {
        number += by;
        Step { number, action }
    };
    steps.into_iter().map(step).collect()
}

/// Any trace of the scenario, with any text where there is one.
fn traces() -> impl Strategy<Value = JobsTrace> {
    let deciding = (any::<u32>(), any::<String>()).prop_map(|(step, answer)| Deciding { step, answer });
    let head = (any::<String>(), any::<String>(), any::<Option<u64>>());
    let head = (head, option::of(any::<String>()), option::of(deciding));
    let steps = vec((1..1_000_u32, action()), 0..20).prop_map(numbered);
    (head, config(), steps).prop_map(|(((version, variant, seed), violates, deciding), config, steps)| {
        Trace {
            schema: "holdover-trace-v1".into(),
            scenario: "jobs".into(),
            version,
            variant,
            seed,
            violates,
            deciding,
            config,
            steps,
        }
    })
}

/// Reading what was written gives the same trace.
#[test]
fn any_trace_is_read_as_it_was_written() {
    let verdict = runner(400).run(&traces(), |trace| {
        let text = trace.to_json();
        prop_assert_eq!(JobsTrace::parse(&text, "jobs"), Ok(trace));
        Ok(())
    });
    verdict.expect("every trace is read as it was written");
}

/// What a text may be damaged with: pieces of JSON, whole and broken, and numbers that no field can hold.
const PIECES: [&str; 14] = [
    "",
    "null",
    "-1",
    "1e999",
    "18446744073709551616",
    "0.5",
    "\"",
    "[[[[",
    "}",
    ",",
    "\"worker-\"",
    "\\ud800",
    "{\"n\":1,\"do\":\"heal\"}",
    "😀",
];

/// A piece instead of a stretch of a recorded trace, or the end of it missing, gives a trace or a refusal; and what is
/// read all the same is a trace like any other.
#[test]
fn a_damaged_trace_is_read_or_refused() {
    let texts = [1, 3].map(|seed| written(VARIANTS[0], seed));
    let places = (0..texts.len(), any::<prop::sample::Index>(), 0..12_usize);
    let counts = Cell::new((0_u32, 0_u32));
    let damages = (places, select(PIECES.to_vec()), prop::bool::weighted(0.1));
    let verdict = runner(600).run(&damages, |((which, place, length), piece, ends)| {
        let (read, refused) = counts.get();
        let mut text = texts[which].clone();
        let from = floor_of(&text, place.index(text.len()));
        let to = floor_of(&text, if ends { text.len() } else { (from + length).min(text.len()) });
        text.replace_range(from..to.max(from), piece);
        match JobsTrace::parse(&text, "jobs") {
            Ok(trace) => {
                prop_assert_eq!(JobsTrace::parse(&trace.to_json(), "jobs"), Ok(trace), "{}", text);
                counts.set((read + 1, refused));
            }
            Err(error) => {
                prop_assert!(!error.to_string().contains('\n'), "an error is one line: {}", error);
                counts.set((read, refused + 1));
            }
        }
        Ok(())
    });
    verdict.expect("every text is read or refused");
    let (read, refused) = counts.get();
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}

/// The text of what a seed does.
fn written(variant: &str, seed: u64) -> String {
    let (config, steps) = recorded(variant, seed);
    let trace = Trace {
        schema: "holdover-trace-v1".into(),
        version: "0.1.0".into(),
        scenario: "jobs".into(),
        variant: variant.into(),
        seed: Some(seed),
        violates: None,
        deciding: None,
        config,
        steps,
    };
    trace.to_json()
}

/// The last place at or before this one where a character begins.
fn floor_of(text: &str, place: usize) -> usize {
    (0..=place).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}
