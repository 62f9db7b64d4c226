use super::{ByJob, Findings, Invariant, Past};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Claimed, Record, Reply, Status};
use holdover_machine::StoreTime;
use std::sync::Arc;

/// Absolute, among jobs for one executor.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct FairClaim {
    granted: ByJob<StoreTime>,
}

impl Invariant for FairClaim {
    const INFO: InvariantInfo = InvariantInfo {
        id: "fair-claim",
        promise: "A waiting job is overtaken at most once by each other job.",
        class: Class::Safety,
    };

    fn forget(&mut self, past: &Past<'_>) {
        let waits = |job, since| {
            past.table.records().any(|record| {
                record.number != job
                    && matches!(record.status, Status::Queued | Status::Retryable)
                    && record.ready_at < since
            })
        };
        self.granted.retain(|job, since| waits(*job, *since));
    }

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { reply: Reply::Claimed(Claimed::Granted(grant)), judged_at, .. } = fact else {
            return;
        };
        if grant.replayed {
            return;
        }
        let winner = &grant.record;
        if let Some(&earlier) = self.granted.get(&winner.number) {
            // Who was ready before the winner's last grant has now been overtaken by it a second time.
            let waits = |record: &&Arc<Record>| {
                let ready = match record.status {
                    Status::Queued => true,
                    Status::Retryable => record.next_attempt_at.is_some_and(|due| due <= *judged_at),
                    _ => false,
                };
                ready && record.spec.executor == winner.spec.executor && record.ready_at < earlier
            };
            let loser = scene.table.records().find(waits);
            findings.expect(loser.is_none(), || {
                let (id, other) = (winner.id(), loser.map_or("?", |record| record.id().as_str()));
                (
                    format!("{id} was handed out twice while {other} was waiting"),
                    vec![id.to_string(), other.to_owned()],
                )
            });
        }
        self.granted.insert(winner.number, *judged_at);
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;
    use crate::jobs::task::Twist;

    /// A second grant holds when nobody was waiting since before the first, and falls when somebody was.
    #[test]
    fn nobody_is_overtaken_twice() {
        let mut bench = Bench::<FairClaim>::new();
        bench.create(1, Twist::Plain);
        bench.wait(1);
        bench.create(2, Twist::Plain);
        bench.wait(1);
        assert_eq!(bench.claim(0), Saw::Nothing, "overtaken once");
        let first = bench.changed();
        let mut unfair = bench.clone();
        assert_eq!(unfair.see_call(&first), Saw::Fell, "the same job again while the second waits");

        bench.claim(1);
        bench.work(0, Deed::Fail { delay: 0 });
        bench.wait(5_000);
        assert_eq!(bench.claim(0), Saw::Held, "the second has been served");
    }
}
