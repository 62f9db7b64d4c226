use holdover::{Observer, Rng, Scenario, Step, World};
use holdover_sim::jobs::{Action, Config, Jobs, JobsWorld};
use proptest::test_runner::{Config as ProptestConfig, RngAlgorithm, TestRng, TestRunner};

pub(crate) const VARIANTS: [&str; 2] = ["hardened", "original"];

/// A fresh world of a variant.
pub(crate) fn world(variant: &str, config: &Config) -> JobsWorld {
    Jobs.world(&Jobs.variant(variant).expect("a variant"), config)
}

/// The actions that a seed carries out, with what it decides about the world.
pub(crate) fn recorded(variant: &str, seed: u64) -> (Config, Vec<Step<Action>>) {
    let plan = Jobs.plan(seed);
    let mut rng = Rng::from_seed(seed);
    let mut world = world(variant, &plan.config);
    let mut steps: Vec<Step<Action>> = Vec::new();
    for _ in 0..plan.steps {
        let Some(action) = world.sample(&mut rng, &plan.weights) else { continue };
        let step = Step { number: steps.len() as u32 + 1, action };
        if world.apply(&step, &mut Observer::new()) == holdover::Applied::Done {
            steps.push(step);
        }
    }
    (plan.config, steps)
}

/// The same cases on every run.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}
