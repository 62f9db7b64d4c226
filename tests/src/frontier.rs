//! The committed evidence of the frontier: its table, and a pair of histories for each limit.

use holdover::{Applied, Frontier, FrontierReport, Limit, Observer, Scenario, Step, TraceOf, World};
use holdover_sim::jobs::{Action, ClockFrontier, Jobs};

type Trace = TraceOf<Jobs>;

/// The same schedule twice: with the largest error at which an invariant held, and with the next larger one.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The variant.
    pub variant: String,
    /// The kind of error and the invariant, as the histories are named.
    pub name: String,
    /// Holds.
    pub passes: Trace,
    /// Falls.
    pub falls: Trace,
}

/// A pair for each limit between two sizes, with nothing in it that is not needed.
pub fn pairs(subject: &ClockFrontier, report: &FrontierReport) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for row in &report.rows {
        let kind = report.kinds.iter().position(|kind| kind.name == row.kind).expect("a kind of the report");
        for (invariant, limit) in &row.limits {
            let Limit::Between { passes, falls, seed } = *limit else { continue };
            let at = |size| with_end(subject.trace(&row.variant, kind, size, seed));
            let falls = Trace { violates: Some((*invariant).to_owned()), ..at(falls) };
            let name = format!("{}.{invariant}", row.kind);
            let pair = Pair { variant: row.variant.clone(), name, passes: at(passes), falls };
            pairs.push(minimised(pair, invariant));
        }
    }
    pairs
}

/// With the end of all faults as its last action.
fn with_end(mut trace: Trace) -> Trace {
    let number = trace.steps.last().map_or(1, |step| step.number + 1);
    trace.steps.push(Step { number, action: Action::Heal });
    trace
}

/// Takes actions out of both histories for as long as one falls and the other holds. What pauses a worker stays, or a
/// history would no longer say why it acts so late.
fn minimised(mut pair: Pair, invariant: &str) -> Pair {
    let mut place = pair.falls.steps.len();
    while place > 0 {
        place -= 1;
        if matches!(pair.falls.steps[place].action, Action::Pause { .. } | Action::Resume { .. }) {
            continue;
        }
        let mut shorter = pair.clone();
        shorter.passes.steps.remove(place);
        shorter.falls.steps.remove(place);
        if falls(&shorter.falls, invariant) && !falls(&shorter.passes, invariant) {
            // What was needed only by this one may be taken out now.
            (place, pair) = (shorter.falls.steps.len(), shorter);
        }
    }
    pair
}

fn falls(trace: &Trace, invariant: &str) -> bool {
    let variant = Jobs.variant(&trace.variant).expect("a variant");
    let mut world = Jobs.world(&variant, &trace.config);
    let mut observer = Observer::new();
    for step in &trace.steps {
        if world.apply(step, &mut observer) == Applied::Done && world.violations().of(invariant).is_some() {
            return true;
        }
    }
    false
}
