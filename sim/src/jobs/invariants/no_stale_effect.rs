use super::{ByJob, Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Absolute on a resource that compares fencing numbers, whatever the clocks say.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct NoStaleEffect {
    highest: ByJob<u32>,
}

impl Invariant for NoStaleEffect {
    const INFO: InvariantInfo = InvariantInfo {
        id: "no-stale-effect",
        promise: "Once an effect of a later attempt was taken, no effect of an earlier one is.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Touched { worker, job, attempt, accepted: true } = fact else { return };
        let highest = self.highest.entry(*job).or_insert(*attempt);
        if *highest > 1 {
            let highest = *highest;
            findings.expect(*attempt >= highest, || {
                let id = scene.table.job(*job).map_or("?", |(record, _)| record.id().as_str());
                (
                    format!("the resource took an effect of attempt {attempt} on {id} from {worker} after one of attempt {highest}"),
                    vec![format!("effect of {id} attempt {highest}"), format!("effect of {id} attempt {attempt}")],
                )
            });
        }
        *highest = (*highest).max(*attempt);
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::node::Node;

    /// Effects of rising attempts hold, an earlier one falls if the resource took it, and jobs do not mix.
    #[test]
    fn attempts_never_go_back() {
        let mut bench = Bench::<NoStaleEffect>::new();
        for (job, attempt, accepted, saw) in [
            (0, 1, true, Saw::Nothing),
            (0, 2, true, Saw::Nothing),
            (0, 2, true, Saw::Held),
            (1, 1, true, Saw::Nothing),
            (0, 1, false, Saw::Nothing),
            (0, 1, true, Saw::Fell),
            (0, 3, true, Saw::Held),
        ] {
            let fact = Fact::Touched { worker: Node::Worker(0), job, attempt, accepted };
            assert_eq!(bench.see(&fact), saw, "attempt {attempt} on {job}");
        }
    }
}
