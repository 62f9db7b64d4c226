//! The jobs world as it is explored: what it is like in a scope, what may happen in it, when two of its states are
//! one, and when it is at rest.

mod actions;
mod description;
mod scope;
mod state;
mod tidy;

use super::{Action, Config, Jobs, JobsWorld};
use holdover::{Explorable, Scope, ScopeWords};
use holdover_jobs::Status;

impl Explorable for Jobs {
    fn scope(&self) -> Scope {
        scope::DEFAULT
    }

    fn words(&self, scope: &Scope) -> ScopeWords {
        scope::words(scope)
    }

    fn start(&self, scope: &Scope) -> Config {
        scope::config(scope)
    }

    fn actions(&self, world: &JobsWorld, scope: &Scope, actions: &mut Vec<Action>) {
        actions::append(world, scope, actions);
    }

    fn tidy(&self, world: &mut JobsWorld) {
        tidy::tidy(world);
    }

    fn describe(&self, world: &JobsWorld, description: &mut Vec<u8>) {
        state::describe(world, description);
    }

    fn at_rest(&self, world: &JobsWorld) -> bool {
        let ended = |status: Status| status.is_final() || status == Status::Blocked;
        let mut records = world.table.records();
        world.table.records().count() == usize::from(world.setup.config.jobs)
            && records.all(|record| ended(record.status))
    }
}
