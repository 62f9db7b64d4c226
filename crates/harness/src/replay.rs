use crate::{Applied, Deciding, Observer, Scenario, TraceOf, Trial, Violations, World};

/// What a trace says when it is run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The invariant that the trace names was violated again; any invariant, if it names none.
    Reproduced,
    /// Every action was possible, and the invariant held.
    NotReproduced,
    /// The invariant held, but an action was no longer possible.
    NoLongerApplicable {
        /// The number of the first such action.
        step: u32,
    },
}

/// What became of a replayed trace.
#[derive(Debug, Clone)]
pub struct Replay {
    /// What it says of the trace.
    pub verdict: Verdict,
    /// The first violation of each invariant.
    pub violations: Violations,
    /// The numbers of the actions that were not possible.
    pub skipped: Vec<u32>,
    /// Simulated time, in milliseconds.
    pub simulated_ms: i64,
    /// What was counted, answered and narrated.
    pub observer: Observer,
}

/// Runs the actions of a trace, under their recorded numbers, on a fresh world. Total: what is not possible is
/// skipped.
pub fn replay<S: Scenario>(trial: &Trial<'_, S>, trace: &TraceOf<S>) -> Replay {
    let mut observer = Observer::narrating();
    let mut world = trial.world(&trace.config);
    let mut skipped = Vec::new();
    for step in &trace.steps {
        if world.apply(step, &mut observer) == Applied::Skipped {
            skipped.push(step.number);
        }
    }
    Replay {
        verdict: verdict(trace.violates.as_deref(), world.violations(), &skipped),
        violations: world.violations().clone(),
        skipped,
        simulated_ms: world.simulated_ms(),
        observer,
    }
}

fn verdict(violates: Option<&str>, violations: &Violations, skipped: &[u32]) -> Verdict {
    let again = match violates {
        Some(invariant) => violations.of(invariant).is_some(),
        None => !violations.is_empty(),
    };
    match skipped.first() {
        _ if again => Verdict::Reproduced,
        Some(&step) => Verdict::NoLongerApplicable { step },
        None => Verdict::NotReproduced,
    }
}

impl Replay {
    /// What this action was answered, in order.
    pub fn answers(&self, step: u32) -> impl Iterator<Item = &str> {
        self.observer.answers().iter().filter(move |(at, _)| *at == step).map(|(_, answer)| answer.as_str())
    }

    /// Whether the rules decided as the trace says: nothing before the deciding action was skipped, and that
    /// action was refused with the recorded answer.
    pub fn decided(&self, deciding: &Deciding) -> bool {
        self.skipped.first().is_none_or(|&step| step > deciding.step)
            && self.answers(deciding.step).any(|answer| answer == deciding.answer)
    }
}
