//! Goal: another explorer finds exactly as many states as our own, so that neither leaves one out.

use holdover::{Ending, Explorable, ExploreOptions, Scope, explore};
use holdover_sim::jobs::Jobs;
use holdover_tests::AsModel;
use stateright::{Checker, Model};

/// Without symmetry of workers in play a state is a description in both.
#[test]
fn both_find_as_many_states() {
    let small = Scope { in_flight: 0, ..Jobs.scope() };
    let scopes = [
        Scope { workers: 1, ..small },
        Scope { workers: 1, crashes: 1, ..small },
        Scope { workers: 1, clock_steps: 1, ..small },
        small,
    ];
    for scope in scopes {
        let own = explore(&Jobs, "hardened", &scope, &ExploreOptions::new(1_000_000)).unwrap();
        let other = AsModel { scope }.checker().spawn_bfs().join();
        assert!(matches!(own.ending, Ending::Closed), "{scope:?}");
        assert_eq!(own.states, other.unique_state_count() as u64, "{scope:?}");
        assert!(other.discoveries().is_empty(), "{scope:?}");
    }
}
