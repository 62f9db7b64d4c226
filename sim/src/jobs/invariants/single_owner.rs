use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Promised within the clock errors of the deployment: the worker stops by its own clock before others may have the job.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct SingleOwner;

impl Invariant for SingleOwner {
    const INFO: InvariantInfo = InvariantInfo {
        id: "single-owner",
        promise: "No two workers believe at the same time that they hold the same job.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Believing(beliefs) = fact else { return };
        for (place, belief) in beliefs.iter().enumerate() {
            // Only a job that was granted more than once can have two owners.
            if belief.attempt < 2 {
                continue;
            }
            let other =
                beliefs[..place].iter().chain(&beliefs[place + 1..]).find(|other| other.job == belief.job);
            findings.expect(other.is_none(), || {
                let id = scene.table.job(belief.job).map_or("?", |(record, _)| record.id().as_str());
                let (first, second) = (other.map_or(belief.worker, |other| other.worker), belief.worker);
                let first_attempt = other.map_or(0, |other| other.attempt);
                (
                    format!("{first} (attempt {first_attempt}) and {second} (attempt {}) both believe that they hold {id}", belief.attempt),
                    vec![format!("{id} attempt {first_attempt}"), format!("{id} attempt {}", belief.attempt)],
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::fact::Belief;
    use crate::jobs::node::Node;

    /// One believer a job holds, and counts from the second grant on; two fall.
    #[test]
    fn two_believers_fall() {
        let mut bench = Bench::<SingleOwner>::new();
        let belief = |worker, job, attempt| Belief { worker: Node::Worker(worker), job, attempt };
        for (beliefs, saw) in [
            (vec![], Saw::Nothing),
            (vec![belief(0, 0, 1)], Saw::Nothing),
            (vec![belief(0, 0, 2)], Saw::Held),
            (vec![belief(0, 0, 2), belief(1, 1, 1)], Saw::Held),
            (vec![belief(0, 0, 1), belief(1, 0, 2)], Saw::Fell),
            (vec![belief(1, 0, 2), belief(0, 0, 1)], Saw::Fell),
        ] {
            assert_eq!(bench.see(&Fact::Believing(&beliefs)), saw, "{beliefs:?}");
        }
    }
}
