//! Goal: what `docs/frontier.md` says is what is measured, and each limit in it is shown by a committed pair of
//! histories: one that holds at the limit, and the same with the next larger error, which falls.

use holdover::{Frontier, FrontierOptions, TraceOf, Trial, Verdict, frontier, frontier_row, replay};
use holdover_sim::jobs::{ClockFrontier, Jobs};
use holdover_tests::{frontier_doc, frontier_traces};
use std::num::NonZeroUsize;
use std::path::Path;

/// The stories alone find every limit of the hardened variant; the table of the other two takes longer.
#[test]
fn hardened_table_is_committed() {
    let committed = std::fs::read_to_string(frontier_doc()).unwrap();
    let options = FrontierOptions::new(ClockFrontier::STORIES).threads(NonZeroUsize::new(2).unwrap());
    let report = frontier(&ClockFrontier::campaign(), &["hardened"], &options).unwrap().expect("not stopped");
    let markdown = report.to_markdown();
    let (_, table) = markdown.split_once("### ").expect("a table");
    assert!(committed.contains(table.trim_end()), "docs/frontier.md must hold this table:\n{table}");
    assert!(committed.contains(&report.scope), "docs/frontier.md must say:\n{}", report.scope);
}

/// Per invariant and kind, hardened stands at least as much as the original. The exception is the store's clock, which
/// the original never reads.
#[test]
fn hardened_stands_at_least_as_much() {
    let subject = ClockFrontier::campaign();
    let options = FrontierOptions::new(ClockFrontier::STORIES).threads(NonZeroUsize::new(2).unwrap());
    for (place, kind) in subject.kinds().iter().enumerate().filter(|(_, kind)| kind.name != "store-step") {
        let sizes = [0, 1, 5, 200, 300, 400, 500, 1_000, 4_000, 20_000];
        let ladder: Vec<i64> = kind.ladder.iter().copied().filter(|size| sizes.contains(size)).collect();
        let limits = |variant| {
            frontier_row(&subject, variant, place, &ladder, &options).unwrap().expect("not stopped").limits
        };
        let (original, hardened) = (limits("original"), limits("hardened"));
        for (invariant, limit) in &hardened {
            let less = original[invariant].reach();
            assert!(
                limit.reach() >= less,
                "{invariant}, {}: {limit}, the original reaches {less}",
                kind.name
            );
        }
    }
}

fn trace(path: &Path) -> TraceOf<Jobs> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    TraceOf::<Jobs>::parse(&text, "jobs").unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Of each committed pair, one falls by the invariant that it names, and the other holds.
#[test]
fn histories_at_the_limit_and_beyond() {
    let subject = ClockFrontier::campaign();
    for variant in Frontier::variants(&subject) {
        let trial = Trial::new(&Jobs, variant).unwrap();
        let mut pairs = 0;
        for entry in std::fs::read_dir(frontier_traces().join(variant)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            let Some(pair) = name.strip_suffix(".falls.json") else { continue };
            let (falls, passes) = (trace(&path), trace(Path::new(&format!("{pair}.passes.json"))));
            let invariant = falls.violates.as_deref().expect("it names an invariant");
            assert_eq!(replay(&trial, &falls).verdict, Verdict::Reproduced, "{name}");
            assert!(replay(&trial, &passes).violations.of(invariant).is_none(), "{pair}.passes.json");
            assert_eq!(falls.steps.len(), passes.steps.len(), "{name}");
            pairs += 1;
        }
        assert!(pairs >= 3, "{variant}: {pairs}");
    }
}
