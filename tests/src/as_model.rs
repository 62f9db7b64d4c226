use holdover::{Applied, Explorable, Observer, Scenario, Scope, Step, World};
use holdover_sim::jobs::{Action, Jobs, JobsWorld};
use stateright::{Model, Property};
use std::fmt;
use std::hash::{Hash, Hasher};

/// The hardened jobs world within a scope, as a model for another explorer than our own.
pub struct AsModel {
    /// The scope.
    pub scope: Scope,
}

/// A state of it. Two states are one if their descriptions are; they are not kept, as our own explorer keeps none either.
#[derive(Clone)]
pub struct Described {
    world: JobsWorld,
    depth: u32,
}

impl Described {
    fn description(&self) -> Vec<u8> {
        let mut description = Vec::new();
        Jobs.describe(&self.world, &mut description);
        description
    }
}

impl PartialEq for Described {
    fn eq(&self, other: &Self) -> bool {
        self.description() == other.description()
    }
}

impl Hash for Described {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.description().hash(hasher);
    }
}

impl fmt::Debug for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.description().fmt(f)
    }
}

impl Model for AsModel {
    type State = Described;
    type Action = Action;

    fn init_states(&self) -> Vec<Described> {
        let hardened = Jobs.variant("hardened").expect("the variant that there always is");
        vec![Described { world: Jobs.world(&hardened, &Jobs.start(&self.scope)), depth: 0 }]
    }

    fn actions(&self, state: &Described, actions: &mut Vec<Action>) {
        Explorable::actions(&Jobs, &state.world, &self.scope, actions);
    }

    fn next_state(&self, state: &Described, action: Action) -> Option<Described> {
        let (mut world, number) = (state.world.clone(), state.depth + 1);
        let applied = world.apply(&Step { number, action }, &mut Observer::without_digest());
        if applied == Applied::Skipped {
            return None;
        }
        Jobs.tidy(&mut world);
        Some(Described { world, depth: number })
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("nothing is violated", |_, state: &Described| {
            state.world.violations().is_empty()
        })]
    }
}
