//! One history under three variants at once: the original and a mutant fall, the hardened variant holds.
//!
//! A trace that is kept as evidence of a weakness must do all three. So it is searched for, and shrunk, in a
//! world of three worlds that take the same actions.

use holdover::{
    Applied, Catalogue, Deciding, Observer, Plan, Rng, Scenario, Step, Trace, TraceOf, Trial, Violations,
    Weights, World, record, replay, run, shrink,
};
use holdover_sim::jobs::{Action, Config, Evidence, Jobs, JobsWorld};

/// A history that shows a weakness, as small as it gets.
pub type Found = Trace<Config, Action>;

struct Joint {
    invariant: &'static str,
    /// The original, or the mutant once more where the original cannot show it.
    original: String,
}

#[derive(Clone)]
struct JointVariant {
    original: <Jobs as Scenario>::Variant,
    mutant: <Jobs as Scenario>::Variant,
    hardened: <Jobs as Scenario>::Variant,
}

#[derive(Clone)]
struct JointWorld {
    invariant: &'static str,
    original: JobsWorld,
    mutant: JobsWorld,
    hardened: JobsWorld,
    /// Whether the hardened world could not take an action of the history.
    parted: bool,
    violations: Violations,
}

impl Scenario for Joint {
    type Variant = JointVariant;
    type Config = Config;
    type World = JointWorld;

    fn id(&self) -> &'static str {
        "jobs"
    }

    fn about(&self) -> &'static str {
        "the jobs world under three variants"
    }

    fn catalogue(&self) -> Catalogue {
        Jobs.catalogue()
    }

    fn variants(&self) -> Vec<String> {
        Jobs.variants()
    }

    /// The name is that of the mutant.
    fn variant(&self, name: &str) -> Option<JointVariant> {
        let named = |name| Jobs.variant(name);
        Some(JointVariant {
            original: named(&self.original)?,
            mutant: named(name)?,
            hardened: named("hardened")?,
        })
    }

    fn plan(&self, seed: u64) -> Plan<Config> {
        Jobs.plan(seed)
    }

    fn world(&self, variant: &JointVariant, config: &Config) -> JointWorld {
        JointWorld {
            invariant: self.invariant,
            original: Jobs.world(&variant.original, config),
            mutant: Jobs.world(&variant.mutant, config),
            hardened: Jobs.world(&variant.hardened, config),
            parted: false,
            violations: Violations::default(),
        }
    }
}

impl World for JointWorld {
    type Action = Action;

    fn sample(&self, rng: &mut Rng, weights: &Weights) -> Option<Action> {
        self.mutant.sample(rng, weights)
    }

    fn enabled(&self, actions: &mut Vec<Action>) {
        self.mutant.enabled(actions);
    }

    fn apply(&mut self, step: &Step<Action>, observer: &mut Observer) -> Applied {
        let applied = self.mutant.apply(step, observer);
        if applied == Applied::Skipped {
            return applied;
        }
        let mut silent = Observer::new();
        self.original.apply(step, &mut silent);
        let before = self.parted;
        self.parted |= self.hardened.apply(step, &mut silent) == Applied::Skipped;
        let falls = |world: &JobsWorld| world.violations().of(self.invariant).cloned();
        if let (Some(_), Some(violation)) = (falls(&self.original), falls(&self.mutant))
            && self.hardened.violations().is_empty()
            && !before
        {
            self.violations.report(self.invariant, || violation);
        }
        applied
    }

    fn heal(&self) -> Action {
        Action::Heal
    }

    fn simplify(action: &Action) -> Vec<Action> {
        JobsWorld::simplify(action)
    }

    fn merge(first: &Step<Action>, second: &Step<Action>) -> Option<Action> {
        JobsWorld::merge(first, second)
    }

    fn renumber(action: &Action, map: &dyn Fn(u32) -> Option<u32>) -> Action {
        JobsWorld::renumber(action, map)
    }

    fn violations(&self) -> &Violations {
        &self.violations
    }

    fn simulated_ms(&self) -> i64 {
        self.mutant.simulated_ms()
    }

    fn fingerprint(&self) -> u64 {
        self.mutant.fingerprint()
    }
}

/// The first seed below `seeds` whose history shows the weakness, shrunk, with the action on which the hardened
/// variant parts from the mutant.
pub fn find(evidence: &Evidence, seeds: u64) -> Option<Found> {
    let original = evidence.variants().into_iter().next()?;
    let joint = Joint { invariant: evidence.invariant, original };
    let trial = Trial::new(&joint, &evidence.variant()).ok()?;
    let seed = (1..=seeds).find(|&seed| !run(&trial, seed).violations.is_empty())?;
    let (_, recorded) = record(&trial, seed);
    let small = shrink(&trial, &recorded, 20_000)?.trace;
    let trace = TraceOf::<Jobs> { deciding: None, ..retold(small) };
    Some(Found { deciding: deciding(&trace, &evidence.variant()), ..trace })
}

/// The same trace as one of the jobs world itself.
fn retold(trace: TraceOf<Joint>) -> TraceOf<Jobs> {
    TraceOf::<Jobs> {
        schema: trace.schema,
        version: trace.version,
        scenario: trace.scenario,
        variant: trace.variant,
        seed: trace.seed,
        violates: trace.violates,
        deciding: None,
        config: trace.config,
        steps: trace.steps,
    }
}

/// The first action that the hardened variant answers otherwise than the mutant, and its answer.
fn deciding(trace: &TraceOf<Jobs>, mutant: &str) -> Option<Deciding> {
    let mutant = replay(&Trial::new(&Jobs, mutant).ok()?, trace);
    let hardened = replay(&Trial::new(&Jobs, "hardened").ok()?, trace);
    trace.steps.iter().find_map(|step| {
        let (theirs, ours): (Vec<_>, Vec<_>) =
            (mutant.answers(step.number).collect(), hardened.answers(step.number).collect());
        let answer = ours.iter().find(|answer| !theirs.contains(answer))?;
        Some(Deciding { step: step.number, answer: (*answer).to_owned() })
    })
}
