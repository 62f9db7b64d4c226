use super::finder::Finding;
use holdover::{AnyScenario, Ending, ExploreOptions, Planted, Scope, Score};

/// The most states of one scope.
const STATES: u64 = 15_000;

/// Explores small scopes one after the other, each with other faults in it, until one shows the bug. The first
/// that does tells a shortest story within it.
pub(super) fn explore(scenario: &dyn AnyScenario, planted: &Planted) -> Finding {
    let Some(explorable) = scenario.explorable() else { return Finding::NotHere };
    let mut options = ExploreOptions::new(STATES);
    options.only = Some(planted.invariant);
    let mut states = 0;
    for scope in scopes(explorable.scope()) {
        let Ok(explored) = explorable.explore(&planted.variant(), &scope, &options) else {
            return Finding::NotHere;
        };
        states += explored.states;
        if let Ending::Violated(found) = explored.ending {
            return Finding::Found(Score::of_states(states, found.actions, found.trace));
        }
    }
    Finding::Missed
}

/// The usual scope with one kind of fault in it, and then with more jobs.
fn scopes(own: Scope) -> [Scope; 5] {
    [
        own,
        Scope { crashes: 1, ..own },
        Scope { dups: 1, ..own },
        Scope { clock_steps: 1, ..own },
        Scope { jobs: 2, ..own },
    ]
}
