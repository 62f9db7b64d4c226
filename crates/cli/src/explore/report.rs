//! What was explored and found, for people and for machines.

use crate::number::grouped;
use holdover::{Ending, Exploration, Layout};
use serde_json::{Value, json};

/// The report; `why` says why it was stopped, if it was.
pub(crate) fn text(explored: &Exploration, why: &str, layout: Layout) -> String {
    let mut text = format!("{} ({})\n", explored.scenario, explored.variant);
    for (name, value) in rows(explored) {
        text.push_str(&format!("  {name:<12} {value}\n"));
    }
    if let Some(found) = explored.counterexample() {
        match &found.failure {
            Some(failure) => text.push_str(&format!("\n{}\n", failure.render(layout))),
            None => text.push_str(&format!(
                "\nafter {} actions nothing comes to rest within the scope\n",
                found.actions
            )),
        }
    }
    text.push_str(&verdict(explored, why));
    text
}

fn rows(explored: &Exploration) -> Vec<(&'static str, String)> {
    let Exploration { states, transitions, depth, words, .. } = explored;
    let compared = match explored.omission_one_in() {
        None => "whole states".to_owned(),
        Some(odds) => {
            format!("fingerprints; the chance that a state was left out is below 1 in {}", grouped(odds))
        }
    };
    vec![
        ("scope", words.within.clone()),
        ("off", words.off.join(", ")),
        ("states", format!("{}, {} transitions, {depth} levels", grouped(*states), grouped(*transitions))),
        ("compared", compared),
    ]
}

fn verdict(explored: &Exploration, why: &str) -> String {
    let (states, depth) = (grouped(explored.states), explored.depth);
    match &explored.ending {
        Ending::Closed => {
            "PASS: closed; nothing is violated, and from every state everything can come to rest".to_owned()
        }
        Ending::Violated(found) => {
            format!("FAIL: violated after {} actions; there is no shorter way", found.actions)
        }
        Ending::Wedged(found) => format!("FAIL: wedged after {} actions", found.actions),
        Ending::Stopped => {
            format!("stopped {why}: {states} states, depth {depth} complete, nothing violated so far")
        }
    }
}

/// One line.
pub(crate) fn json(explored: &Exploration) -> Value {
    let ending = match explored.ending {
        Ending::Closed => "closed",
        Ending::Violated(_) => "violated",
        Ending::Wedged(_) => "wedged",
        Ending::Stopped => "stopped",
    };
    let failure = explored.counterexample().and_then(|found| found.failure.as_ref());
    json!([{
        "scenario": explored.scenario,
        "variant": explored.variant,
        "scope": explored.words.within,
        "off": explored.words.off,
        "states": explored.states,
        "transitions": explored.transitions,
        "depth": explored.depth,
        "exact": explored.exact,
        "omission_one_in": explored.omission_one_in(),
        "ending": ending,
        "actions": explored.counterexample().map(|found| found.actions),
        "invariant": failure.map(|failure| &failure.violation.invariant),
        "trace": failure.and_then(|failure| failure.path.as_ref()),
    }])
}
