use crate::support::world;
use holdover::{
    Applied, Ending, Explorable, Exploration, ExploreOptions, Observer, Scope, Step, World, explore,
};
use holdover_sim::jobs::{Jobs, JobsWorld};
use std::collections::BTreeMap;

const SMALL: Scope = Scope { workers: 2, jobs: 1, in_flight: 0, crashes: 0, dups: 0, clock_steps: 0 };

fn explored(variant: &str, scope: &Scope, options: &ExploreOptions<'_>) -> Exploration {
    explore(&Jobs, variant, scope, options).expect("a variant")
}

/// Goal: small scopes of the hardened rules close clean, and have as many states as they had.
#[test]
fn small_scopes_close() {
    let cases = [
        (Scope { workers: 1, ..SMALL }, STATES_OF_ONE),
        (SMALL, STATES_OF_TWO),
        (Scope { workers: 1, crashes: 1, ..SMALL }, STATES_WITH_CRASH),
    ];
    for (scope, states) in cases {
        let found = explored("hardened", &scope, &ExploreOptions::new(100_000));
        assert!(matches!(found.ending, Ending::Closed), "{scope:?}: {:?}", found.ending);
        assert_eq!((found.states, found.transitions), states, "{scope:?}");
    }
}

/// Goal: neither threads nor the way in which states are compared change what is found.
#[test]
fn threads_and_fingerprints_change_nothing() {
    let scope = Scope { in_flight: 1, ..SMALL };
    for (variant, states) in [("hardened", 3_000), ("original", 100_000)] {
        let found: Vec<_> = [(1, false), (2, false), (2, true)]
            .into_iter()
            .map(|(threads, exact)| {
                let options = ExploreOptions { threads, exact, ..ExploreOptions::new(states) };
                // How far a search has come that is stopped depends on how much is expanded at once.
                let scope = if variant == "hardened" { &SMALL } else { &scope };
                let found = explored(variant, scope, &options);
                let trace = found.counterexample().map(|found| found.trace.clone());
                (found.states, found.transitions, found.depth, trace)
            })
            .collect();
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{variant}: {found:?}");
    }
}

/// Goal: where the original falls, the way there is as short as it was, and the trace shows it again.
#[test]
fn the_original_falls_on_the_shortest_way() {
    let scope = Scope { in_flight: 1, ..SMALL };
    for (invariant, actions) in FALLS {
        let options = ExploreOptions { only: Some(invariant), ..ExploreOptions::new(200_000) };
        let found = explored("original", &scope, &options);
        let found = found.counterexample().unwrap_or_else(|| panic!("{invariant} holds"));
        assert_eq!(found.actions, actions, "{invariant}");
        let again = holdover::AnyScenario::replay(&Jobs, &found.trace, None).expect("a trace");
        assert_eq!(again.verdict, holdover::Verdict::Reproduced, "{invariant}");
        assert!(again.skipped.is_empty(), "{invariant}: {:?}", again.skipped);
        let hardened = holdover::AnyScenario::replay(&Jobs, &found.trace, Some("hardened")).expect("a trace");
        assert_ne!(hardened.verdict, holdover::Verdict::Reproduced, "{invariant} under hardened");
    }
}

/// Goal: under the hardened rules a description leaves nothing out that matters: worlds of equal descriptions, however they came about, go on
/// to worlds of equal descriptions.
#[test]
fn equal_descriptions_go_on_alike() {
    let scopes = [
        Scope { in_flight: 1, ..SMALL },
        Scope { workers: 1, in_flight: 2, crashes: 1, dups: 1, ..SMALL },
        Scope { workers: 1, in_flight: 1, clock_steps: 1, ..SMALL },
        Scope { jobs: 2, ..SMALL },
    ];
    let variant = "hardened";
    for scope in &scopes {
        let start = world(variant, &Jobs.start(scope));
        let mut known = BTreeMap::from([(described(&start), successors(&start, scope, 0))]);
        let mut level = vec![start];
        for depth in 0..DEPTH {
            let mut next = Vec::new();
            for world in level.iter().take(WIDTH) {
                for child in children(world, scope, depth) {
                    let after = successors(&child, scope, depth + 1);
                    match known.get(&described(&child)) {
                        Some(before) => assert!(*before == after, "{variant}, {scope:?}, depth {depth}"),
                        None => {
                            known.insert(described(&child), after);
                            next.push(child);
                        }
                    }
                }
            }
            level = next;
        }
    }
}

const DEPTH: u32 = 14;
const WIDTH: usize = 40;

fn described(world: &JobsWorld) -> Vec<u8> {
    let mut description = Vec::new();
    Jobs.describe(world, &mut description);
    description
}

fn children(world: &JobsWorld, scope: &Scope, depth: u32) -> Vec<JobsWorld> {
    let mut actions = Vec::new();
    Jobs.actions(world, scope, &mut actions);
    let child = |action| {
        let mut child = world.clone();
        let applied = child.apply(&Step { number: depth + 1, action }, &mut Observer::new());
        Jobs.tidy(&mut child);
        (applied == Applied::Done && child.violations().is_empty()).then_some(child)
    };
    actions.into_iter().filter_map(child).collect()
}

/// What comes next, as a set.
fn successors(world: &JobsWorld, scope: &Scope, depth: u32) -> Vec<Vec<u8>> {
    let mut next: Vec<_> = children(world, scope, depth).iter().map(described).collect();
    next.sort_unstable();
    next.dedup();
    next
}

const STATES_OF_ONE: (u64, u64) = (881, 4_607);
const STATES_OF_TWO: (u64, u64) = (2_759, 22_813);
const STATES_WITH_CRASH: (u64, u64) = (2_568, 12_663);
const FALLS: [(&str, usize); 1] = [("idempotent-claim", 3)];
