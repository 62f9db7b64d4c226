//! From a state back to the actions that lead there, and from those to a trace as every engine writes it.

use super::search::Way;
use super::walk::carry_out;
use super::{Counterexample, Explorable, Scope};
use crate::trace::SCHEMA;
use crate::{Failure, Observer, Scenario, Sizes, Step, TraceOf, Trial, Violation, World, replay};

/// The trace that ends with the last way; the start alone, if there is none.
pub(super) fn trace<S: Explorable>(
    trial: &Trial<'_, S>,
    scope: &Scope,
    ways: &[Way],
    last: Option<Way>,
) -> TraceOf<S> {
    let mut places = Vec::new();
    let mut next = last;
    while let Some(way) = next {
        places.push(usize::from(way.place));
        next = (way.from != 0).then(|| ways[way.from as usize]);
    }
    let config = trial.scenario.start(scope);
    let mut world = trial.world(&config);
    let mut observer = Observer::without_digest();
    let mut steps = Vec::new();
    for (number, &place) in (1..).zip(places.iter().rev()) {
        let mut actions = Vec::new();
        trial.scenario.actions(&world, scope, &mut actions);
        let action = actions.swap_remove(place);
        carry_out(trial.scenario, &mut world, number, &action, &mut observer);
        steps.push(Step { number, action });
    }
    TraceOf::<S> {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        scenario: trial.scenario.id().to_owned(),
        variant: trial.name.clone(),
        seed: None,
        violates: None,
        deciding: None,
        config,
        steps,
    }
}

/// The counterexample of a trace whose last action violates an invariant: the named one, or the first.
pub(super) fn violated<S: Explorable>(
    trial: &Trial<'_, S>,
    trace: TraceOf<S>,
    only: Option<&str>,
) -> Counterexample {
    let replay = replay(trial, &trace);
    let violation = match only {
        Some(invariant) => replay.violations.of(invariant).cloned(),
        None => replay.violations.iter().next().cloned(),
    };
    tell(trial, trace, violation, &replay.observer)
}

/// The counterexample of a trace after which nothing comes to rest any more. What the world does when all faults
/// stop is added to it, so that a replay shows it; a world that comes to rest then all the same was held up by what
/// the scope leaves out.
pub(super) fn wedged<S: Explorable>(trial: &Trial<'_, S>, mut trace: TraceOf<S>) -> Counterexample {
    let number = trace.steps.last().map_or(1, |step| step.number + 1);
    let action = trial.world(&trace.config).heal();
    trace.steps.push(Step { number, action });
    violated(trial, trace, None)
}

fn tell<S: Scenario>(
    trial: &Trial<'_, S>,
    mut trace: TraceOf<S>,
    violation: Option<Violation>,
    observer: &Observer,
) -> Counterexample {
    let actions = trace.steps.len();
    trace.violates = violation.as_ref().map(|violation| violation.invariant.clone());
    let sizes = Sizes { recorded: actions, actions, replays: 0 };
    let failure = violation.map(|violation| Failure::new(trial, None, violation, observer, observer, sizes));
    Counterexample { trace: trace.to_json(), actions, failure, lines: observer.lines().to_vec() }
}
