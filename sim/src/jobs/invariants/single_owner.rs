use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Promised within the clock errors of the deployment: the worker stops by its own clock before others may have the job.
#[derive(Debug, Clone, Default)]
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
