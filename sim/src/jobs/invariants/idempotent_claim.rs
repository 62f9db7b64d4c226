use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use crate::jobs::node::Node;
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Claimed, Reply, ServiceRequest};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Absolute. A claim is repeated because its answer was lost; it must not burn a second job.
#[derive(Debug, Clone, Default)]
pub(super) struct IdempotentClaim {
    answers: BTreeMap<(Node, u32, u64), Option<(u32, u32)>>,
}

impl Invariant for IdempotentClaim {
    const INFO: InvariantInfo = InvariantInfo {
        id: "idempotent-claim",
        promise: "A repeated claim is given what the first was given.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { origin, reply: Reply::Claimed(claimed), .. } = fact else { return };
        let ServiceRequest::Claim(claim) = &*origin.request else { return };
        let Some(number) = claim.number else { return };
        let given = match claimed {
            Claimed::Granted(grant) => Some((grant.record.number, grant.record.attempts)),
            Claimed::Nothing => None,
            Claimed::Stale(_) | Claimed::Over => return,
        };
        match self.answers.entry((origin.from, origin.life, number)) {
            Entry::Vacant(entry) => {
                entry.insert(given);
            }
            Entry::Occupied(entry) => {
                let first = *entry.get();
                findings.expect(first == given, || {
                    let name = |given: Option<(u32, u32)>| {
                        let job = given.and_then(|(job, attempt)| {
                            Some((scene.table.job(job)?.0.id().to_string(), attempt))
                        });
                        job.map_or("nothing".to_owned(), |(id, attempt)| format!("{id} attempt {attempt}"))
                    };
                    (
                        format!(
                            "claim #{number} of {} was given {}, and repeated, {}",
                            origin.from,
                            name(first),
                            name(given)
                        ),
                        vec![origin.from.to_string()],
                    )
                });
            }
        }
    }
}
