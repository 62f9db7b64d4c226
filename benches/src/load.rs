use holdover::{Applied, Catalogue, Observer, Plan, Rng, Scenario, Step, World};
use holdover_sim::jobs::{Config, Jobs, JobsWorld, Promise, Variant};
use std::hint::black_box;

/// How many actions a seed draws: with the heal phase about 640 messages.
const STEPS: u32 = 316;

/// The jobs world under load: one store, one service, 3 workers, 50 jobs; faults and clocks as in the campaign.
#[derive(Debug, Clone, Copy)]
pub struct Load;

/// What is done beside the world's own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// All that a search for failures does: invariants and probes, the digest, the recorded actions.
    Everything,
    /// None of it.
    Nothing,
}

/// What one seed came to.
#[derive(Debug, Clone, Copy)]
pub struct Done {
    /// Messages sent between the nodes.
    pub messages: u64,
    /// Actions that were possible.
    pub actions: u64,
}

impl Load {
    /// Runs one seed of the hardened rules to its end.
    pub fn run(&self, variant: &Variant, seed: u64, watch: Watch) -> Done {
        let Plan { config, weights, steps } = self.plan(seed);
        let (mut world, mut observer) = match watch {
            Watch::Everything => (Jobs.world(variant, &config), Observer::new()),
            Watch::Nothing => (Jobs.bare_world(variant, &config), Observer::without_digest()),
        };
        let mut rng = Rng::from_seed(!seed);
        let mut trace = Vec::new();
        let mut number = 1;
        for _ in 0..steps {
            let Some(action) = world.sample(&mut rng, &weights) else { continue };
            let step = Step { number, action };
            if world.apply(&step, &mut observer) == Applied::Done {
                number += 1;
                if watch == Watch::Everything {
                    trace.push(step);
                }
            }
        }
        let heal = Step { number, action: world.heal() };
        world.apply(&heal, &mut observer);
        black_box((&trace, observer.digest()));
        assert!(world.violations().is_empty(), "the hardened rules hold, seed {seed}");
        Done { messages: world.messages(), actions: u64::from(number) }
    }
}

impl Scenario for Load {
    type Variant = Variant;
    type Config = Config;
    type World = JobsWorld;

    fn id(&self) -> &'static str {
        "jobs-load"
    }

    fn about(&self) -> &'static str {
        "one store, one service, 3 workers, 50 jobs"
    }

    fn catalogue(&self) -> Catalogue {
        Jobs.catalogue()
    }

    fn variants(&self) -> Vec<String> {
        Jobs.variants()
    }

    fn variant(&self, name: &str) -> Option<Variant> {
        Jobs.variant(name)
    }

    fn plan(&self, seed: u64) -> Plan<Config> {
        let plan = Jobs.plan(seed);
        let promise = Promise { tenant_active_max: u64::MAX, ..plan.config.promise };
        let config = Config { promise, jobs: 50, services: 1, workers: 3, ..plan.config };
        Plan { config, weights: plan.weights, steps: STEPS }
    }

    fn world(&self, variant: &Variant, config: &Config) -> JobsWorld {
        Jobs.world(variant, config)
    }
}
