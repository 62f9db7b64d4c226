//! The jobs world: the whole job protocol, gateway and worker protocol over one store, among faults.

mod action;
mod actual;
mod apply;
mod at_store;
mod clock;
mod config;
mod duel;
mod enabled;
mod evidence;
mod explore;
mod fact;
mod fault;
mod fingerprint;
mod frontier;
pub mod fuzz;
mod heal;
mod invariants;
mod message;
mod node;
mod overlap;
mod participants;
mod planted;
mod probe;
mod promise;
mod resource;
mod sample;
mod setup;
mod story;
mod task;
mod transition;
mod world;

pub use action::{Action, Deed, Fate, MessageId, Reading};
pub use actual::Actual;
pub use config::Config;
pub use evidence::{EVIDENCE, Evidence};
pub use frontier::ClockFrontier;
pub use node::Node;
pub use promise::Promise;
pub use task::{Task, Tasks, Twist};
pub use world::JobsWorld;

use holdover::{
    AnyExplorable, AnyFrontier, Applied, Catalogue, Observer, Plan, Planted, Rng, Scenario, Step, Violation,
    Violations, Weights, World,
};
use holdover_jobs::{AdmissionLimits, AdmissionPolicy, KNOBS, Policy, Registry, Rules, Settings};
use planted::Flaw;
use setup::Setup;
use std::sync::{Arc, LazyLock};

/// The scenario `jobs`.
#[derive(Debug, Clone, Copy)]
pub struct Jobs;

impl Jobs {
    /// A fresh world that nobody watches, so that a benchmark can tell what watching costs: the same actions do
    /// the same, but nothing is judged and probes are not counted.
    pub fn bare_world(&self, variant: &Variant, config: &Config) -> JobsWorld {
        self.world(variant, config).bare()
    }
}

/// The rules of a variant, and what clients may ask under them.
#[derive(Debug, Clone)]
pub struct Variant {
    rules: Rules,
    tasks: Arc<Tasks>,
    flaws: Arc<[Flaw]>,
}

impl Scenario for Jobs {
    type Variant = Variant;
    type Config = Config;
    type World = JobsWorld;

    fn id(&self) -> &'static str {
        "jobs"
    }

    fn about(&self) -> &'static str {
        "the job protocol: clients, two services, workers, sweepers and a fenced resource over one store"
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue {
            faults: fault::Fault::NAMES,
            probes: probe::NAMES,
            invariants: invariants::INVARIANTS,
            transitions: transition::NAMES,
        }
    }

    fn variants(&self) -> Vec<String> {
        let without = KNOBS.iter().map(|knob| format!("hardened-without-{}", knob.id));
        ["hardened".to_owned(), "original".to_owned()].into_iter().chain(without).collect()
    }

    fn variant(&self, name: &str) -> Option<Variant> {
        let (rules, flaws) = match name.strip_prefix(Planted::PREFIX) {
            Some(bugs) => planted::flaws(bugs)?,
            None => (Rules::named(name)?, Vec::new()),
        };
        Some(Variant { rules, tasks: Arc::new(Tasks::new(&rules)), flaws: flaws.into() })
    }

    fn planted(&self) -> Vec<Planted> {
        planted::catalogue()
    }

    fn explorable(&self) -> Option<&dyn AnyExplorable> {
        Some(self)
    }

    fn fuzz(&self, variant: &Variant, bytes: &[u8]) -> Option<Option<Violation>> {
        Some(fuzz::broken_world(variant, bytes).1.iter().next().cloned())
    }

    fn plan(&self, seed: u64) -> Plan<Config> {
        let mut rng = Rng::from_seed(seed);
        // Races over one job are rare where there is much else to do, so every third seed is nothing but such.
        let duel = rng.chance(1, 3);
        let mut config = if duel { Config::draw_duel(&mut rng) } else { Config::draw(&mut rng) };
        let weights = sample::weights(&mut rng, duel);
        let steps = if duel { 20 + rng.below(60) } else { 40 + rng.below(160) };
        config.fenced = rng.chance(7, 8);
        Plan { config, weights, steps }
    }

    fn world(&self, variant: &Variant, config: &Config) -> JobsWorld {
        let config = config.within_bounds();
        let settings = Settings { recovery_grace: config.recovery_grace(), ..settings(&config.promise) };
        let mut policy = Policy { rules: variant.rules, settings };
        for change in variant.flaws.iter().filter_map(|flaw| flaw.policy) {
            change(&mut policy);
        }
        let (tasks, flaws) = (Arc::clone(&variant.tasks), Arc::clone(&variant.flaws));
        JobsWorld::new(Arc::new(Setup { policy: Arc::new(policy), tasks, config, flaws }))
    }

    fn frontier(&self) -> Option<Box<dyn AnyFrontier>> {
        Some(Box::new(ClockFrontier::campaign()))
    }
}

/// What the services of all worlds have in common: worlds are made by the million, and so share their registry.
static SETTINGS: LazyLock<Settings> = LazyLock::new(|| Settings {
    execution_enabled: true,
    registry: Arc::new(Registry::worker_queue(["aider", "goosed"])),
    unstarted_max: 3,
    ..Settings::default()
});

/// How the services of the world are set up.
pub fn settings(promise: &Promise) -> Settings {
    Settings {
        admission: AdmissionPolicy::Limits(AdmissionLimits {
            tenant_active_max: Some(promise.tenant_active_max),
            ..AdmissionLimits::default()
        }),
        lease: promise.lease,
        back_off: promise.back_off,
        back_off_max: promise.back_off_max,
        cancel_grace: promise.cancel_grace(),
        claim_memory: promise.claim_memory(),
        ..SETTINGS.clone()
    }
}

impl World for JobsWorld {
    type Action = Action;

    fn sample(&self, rng: &mut Rng, weights: &Weights) -> Option<Action> {
        sample::sample(self, rng, weights)
    }

    fn enabled(&self, actions: &mut Vec<Action>) {
        enabled::enabled(self, actions);
    }

    fn apply(&mut self, step: &Step<Action>, observer: &mut Observer) -> Applied {
        self.carry_out(step.number, &step.action, observer)
    }

    fn heal(&self) -> Action {
        Action::Heal
    }

    fn simplify(action: &Action) -> Vec<Action> {
        action::simplify(action)
    }

    fn merge(first: &Step<Action>, second: &Step<Action>) -> Option<Action> {
        action::merge(first, second)
    }

    fn renumber(action: &Action, map: &dyn Fn(u32) -> Option<u32>) -> Action {
        action::renumber(action, map)
    }

    fn violations(&self) -> &Violations {
        &self.violations
    }

    fn simulated_ms(&self) -> i64 {
        self.now.ms()
    }

    fn fingerprint(&self) -> u64 {
        fingerprint::of(self)
    }
}
