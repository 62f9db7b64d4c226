use crate::digest::fold;
use crate::trace::SCHEMA;
use crate::{Applied, Observer, Plan, Rng, Scenario, Step, TraceOf, Trial, Violations, World};

/// Keeps the draws of a run apart from those that made its plan, though both come from one seed.
const RUN_STREAM: u64 = 0x686f_6c64_6f76_6572;

/// One run in so many looks at its states, as a fingerprint may cost as much as some actions.
const LOOKED_AT: u64 = 32;

/// How many actions there are between two looks.
const LOOK_EVERY: u32 = 8;

/// What became of one random run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The seed that decided everything.
    pub seed: u64,
    /// Simulated time, in milliseconds.
    pub simulated_ms: i64,
    /// The first violation of each invariant.
    pub violations: Violations,
    /// What was counted, the digest among it.
    pub observer: Observer,
}

/// Runs one seed: random actions, then the faults stop and everything must converge. A run goes on after a
/// violation, so that each invariant gets its say.
pub fn run<S: Scenario>(trial: &Trial<'_, S>, seed: u64) -> Run {
    let plan = trial.scenario.plan(seed);
    drive(trial, &plan, seed, Observer::new(), &mut Untaped)
}

/// Runs one seed as [`run`] does, and records its actions; the observer narrates.
pub fn record<S: Scenario>(trial: &Trial<'_, S>, seed: u64) -> (Run, TraceOf<S>) {
    let plan = trial.scenario.plan(seed);
    let mut steps = Vec::new();
    let run = drive(trial, &plan, seed, Observer::narrating(), &mut steps);
    let violates = run.violations.iter().next().map(|violation| violation.invariant.clone());
    let trace = TraceOf::<S> {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        scenario: trial.scenario.id().to_owned(),
        variant: trial.name.clone(),
        seed: Some(seed),
        violates,
        deciding: None,
        config: plan.config,
        steps,
    };
    (run, trace)
}

/// Where applied actions go. The campaign records nothing and pays nothing for it.
trait Tape<A> {
    fn keep(&mut self, step: Step<A>);
}

struct Untaped;

impl<A> Tape<A> for Untaped {
    fn keep(&mut self, _: Step<A>) {}
}

impl<A> Tape<A> for Vec<Step<A>> {
    fn keep(&mut self, step: Step<A>) {
        self.push(step);
    }
}

fn drive<S: Scenario>(
    trial: &Trial<'_, S>,
    plan: &Plan<S::Config>,
    seed: u64,
    mut observer: Observer,
    tape: &mut impl Tape<<S::World as World>::Action>,
) -> Run {
    let mut rng = Rng::from_seed(fold(RUN_STREAM, seed));
    let mut world = trial.world(&plan.config);
    let looks = seed.is_multiple_of(LOOKED_AT);
    let mut number = 1;
    for _ in 0..plan.steps {
        let Some(action) = world.sample(&mut rng, &plan.weights) else { continue };
        let done = perform(&mut world, Step { number, action }, &mut observer, tape);
        number += u32::from(done);
        if done && looks && number.is_multiple_of(LOOK_EVERY) {
            observer.state(world.fingerprint());
        }
    }
    if looks {
        observer.state(world.fingerprint());
    }
    let heal = Step { number, action: world.heal() };
    perform(&mut world, heal, &mut observer, tape);
    Run { seed, simulated_ms: world.simulated_ms(), violations: world.violations().clone(), observer }
}

/// Whether the action was possible. Only then it takes up a number.
fn perform<W: World>(
    world: &mut W,
    step: Step<W::Action>,
    observer: &mut Observer,
    tape: &mut impl Tape<W::Action>,
) -> bool {
    let done = world.apply(&step, observer) == Applied::Done;
    if done {
        tape.keep(step);
    }
    done
}
