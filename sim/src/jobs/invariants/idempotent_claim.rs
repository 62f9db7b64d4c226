use super::{Findings, Invariant, Past};
use crate::jobs::fact::{Fact, Scene};
use crate::jobs::node::Node;
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Claimed, Reply, ServiceRequest};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::hash::{Hash, Hasher};

/// Absolute. A claim is repeated because its answer was lost; it must not burn a second job.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct IdempotentClaim {
    answers: BTreeMap<(Node, u32, u64), Option<(u32, u32)>>,
}

impl IdempotentClaim {
    /// What this claim was given.
    pub(super) fn given(&self, claim: (Node, u32, u64)) -> Option<Option<(u32, u32)>> {
        self.answers.get(&claim).copied()
    }
}

impl Hash for IdempotentClaim {
    /// Claims are numbered without end: what each was given is described beside the claim itself.
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Invariant for IdempotentClaim {
    const INFO: InvariantInfo = InvariantInfo {
        id: "idempotent-claim",
        promise: "A repeated claim is given what the first was given.",
        class: Class::Safety,
    };

    fn forget(&mut self, past: &Past<'_>) {
        self.answers.retain(|claim, _| past.claims.contains(claim));
    }

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

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::task::Twist;

    /// A repeat that is given the same again holds; one that is given nothing, or another attempt, falls.
    #[test]
    fn a_repeat_is_given_the_same() {
        let mut bench = Bench::<IdempotentClaim>::new();
        bench.create(1, Twist::Plain);
        assert_eq!(bench.claim(0), Saw::Nothing);
        assert_eq!(bench.claim_again(0), Saw::Held);
        let mut repeat = bench.last(|executed| matches!(executed.reply, Reply::Claimed(_)));
        repeat.reply = Reply::Claimed(Claimed::Nothing);
        assert_eq!(bench.see_call(&repeat), Saw::Fell);
        let mut another = bench.changed();
        if let Reply::Claimed(Claimed::Granted(grant)) = &mut another.reply {
            std::sync::Arc::make_mut(&mut grant.record).attempts = 2;
        }
        assert_eq!(bench.see_call(&another), Saw::Fell);
    }

    /// A claim with the same number is no repeat when another run of the process sends it.
    #[test]
    fn another_run_counts_anew() {
        let mut bench = Bench::<IdempotentClaim>::new();
        bench.create(1, Twist::Plain);
        bench.claim(0);
        let mut restarted = bench.changed();
        restarted.origin.life = 2;
        restarted.reply = Reply::Claimed(Claimed::Nothing);
        assert_eq!(bench.see_call(&restarted), Saw::Nothing);
    }
}
