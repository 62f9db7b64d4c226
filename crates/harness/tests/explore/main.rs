//! The explorer, run on a job that workers take, lose and finish.

mod toy;

use holdover::{Class, Ending, ExploreOptions, Scope, Verdict, explore};
use toy::Taking;

const SCOPE: Scope = Scope { workers: 3, jobs: 1, in_flight: 0, crashes: 0, dups: 0, clock_steps: 0 };

fn run(variant: &str, options: &ExploreOptions<'_>) -> holdover::Exploration {
    explore(&Taking, variant, &SCOPE, options).expect("a variant")
}

/// Goal: a sound world closes with the states that can be counted by hand: ready and held after 0, 1 and 2 losses,
/// whoever of the three holds it, and done after each.
#[test]
fn a_sound_world_closes() {
    for exact in [false, true] {
        let found = run("sound", &ExploreOptions { exact, ..ExploreOptions::new(100) });
        assert!(matches!(found.ending, Ending::Closed), "{:?}", found.ending);
        assert_eq!((found.states, found.depth), (9, 7));
        assert_eq!(found.omission_one_in().is_none(), exact);
    }
}

/// Goal: a violation is found on the shortest way, by any number of threads, and its trace shows it.
#[test]
fn a_violation_comes_on_the_shortest_way() {
    for threads in 1..4 {
        let found = run("breaks", &ExploreOptions { threads, ..ExploreOptions::new(100) });
        let Ending::Violated(found) = found.ending else { panic!("{:?}", found.ending) };
        assert_eq!(found.actions, 6);
        let failure = found.failure.expect("a failure");
        assert_eq!((failure.violation.invariant.as_str(), failure.violation.step), ("in-time", 6));
        let report = holdover::AnyScenario::replay(&Taking, &found.trace, None).expect("a trace");
        assert_eq!(report.verdict, Verdict::Reproduced);
    }
}

/// Goal: only the invariant that is asked for ends the search.
#[test]
fn other_invariants_are_passed_over() {
    let options = ExploreOptions { only: Some("converges"), ..ExploreOptions::new(100) };
    assert!(matches!(run("breaks", &options).ending, Ending::Closed));
}

/// Goal: a job that is taken and lost for ever breaks no safety, and is found to be wedged; what is added to the way
/// there shows that it does not even end when all faults stop.
#[test]
fn a_livelock_is_wedged() {
    let found = run("livelock", &ExploreOptions::new(100));
    let Ending::Wedged(found) = found.ending else { panic!("{:?}", found.ending) };
    assert_eq!(found.actions, 3, "taken, lost, and all faults stop");
    assert_eq!(found.failure.expect("a failure").violation.class, Class::Liveness);
}

/// Goal: a search stops at its budget, and when whoever watches says so.
#[test]
fn a_search_stops() {
    assert!(matches!(run("sound", &ExploreOptions::new(2)).ending, Ending::Stopped));
    let watch = |progress: holdover::Progress| progress.depth < 2;
    let found = run("sound", &ExploreOptions { watch: &watch, ..ExploreOptions::new(100) });
    assert!(matches!(found.ending, Ending::Stopped));
    assert_eq!(found.depth, 2);
}

/// Goal: a variant that there is not is an error that names those that there are.
#[test]
fn an_unknown_variant_is_named() {
    let error = explore(&Taking, "loud", &SCOPE, &ExploreOptions::new(1)).unwrap_err();
    assert_eq!(error.to_string(), "scenario taking has no variant `loud`; it has sound, breaks, livelock");
}
