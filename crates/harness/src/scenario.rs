use crate::{AnyExplorable, AnyFrontier, Class, Planted, Violation, Weights, World};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// What a scenario can count, by name. The index of a name is what a world passes to its observer.
#[derive(Debug, Clone, Copy)]
pub struct Catalogue {
    /// Fault kinds.
    pub faults: &'static [&'static str],
    /// Rare branches that a campaign must reach.
    pub probes: &'static [&'static str],
    /// Invariants.
    pub invariants: &'static [InvariantInfo],
    /// Transitions that the default variant can make, all of which a campaign must make.
    pub transitions: &'static [&'static str],
}

/// What a report says of an invariant.
#[derive(Debug, Clone, Copy)]
pub struct InvariantInfo {
    /// Its id, e.g. `single-owner`.
    pub id: &'static str,
    /// What is promised to the user, in a sentence.
    pub promise: &'static str,
    /// Safety or liveness.
    pub class: Class,
}

/// What a seed decides before a run begins. It is printed whole and stands in the trace.
#[derive(Debug, Clone, Serialize)]
pub struct Plan<C> {
    /// The world's configuration.
    pub config: C,
    /// How often each kind of action is drawn.
    pub weights: Weights,
    /// How many actions the safety phase draws before the faults stop.
    pub steps: u32,
}

/// A closed system with a name, in one or more variants.
pub trait Scenario: Sync {
    /// The rules that a variant stands for, looked up once a campaign.
    type Variant: Clone + Sync;
    /// What a seed decides about the world; it stands in the trace, so that a replay needs no seed.
    type Config: Clone + Debug + Serialize + DeserializeOwned;
    /// The world.
    type World: World;

    /// The name on the command line.
    fn id(&self) -> &'static str;
    /// One sentence about it.
    fn about(&self) -> &'static str;
    /// What it can count.
    fn catalogue(&self) -> Catalogue;
    /// The names of its variants, the default first.
    fn variants(&self) -> Vec<String>;
    /// The rules of a variant, or `None` for a name that is not one.
    fn variant(&self, name: &str) -> Option<Self::Variant>;
    /// The bugs that it can be run with.
    fn planted(&self) -> Vec<Planted> {
        Vec::new()
    }
    /// Lets bytes of any kind be actions on a fresh world, and answers what they have broken first: `Some(None)` if
    /// nothing. A scenario without a fuzz target keeps this default.
    fn fuzz(&self, variant: &Self::Variant, bytes: &[u8]) -> Option<Option<Violation>> {
        let _ = (variant, bytes);
        None
    }
    /// What this seed decides. It must not depend on the variant: two variants meet the same faults.
    fn plan(&self, seed: u64) -> Plan<Self::Config>;
    /// How it is explored, if it can be.
    fn explorable(&self) -> Option<&dyn AnyExplorable> {
        None
    }
    /// A fresh world.
    fn world(&self, variant: &Self::Variant, config: &Self::Config) -> Self::World;
    /// How its frontier is measured, where it has one.
    fn frontier(&self) -> Option<Box<dyn AnyFrontier>> {
        None
    }
}
