use super::{ByJob, Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Claimed, Record, Reply, Status};
use holdover_machine::StoreTime;
use std::sync::Arc;

/// Absolute, among jobs for one executor.
#[derive(Debug, Clone, Default)]
pub(super) struct FairClaim {
    granted: ByJob<StoreTime>,
}

impl Invariant for FairClaim {
    const INFO: InvariantInfo = InvariantInfo {
        id: "fair-claim",
        promise: "A waiting job is overtaken at most once by each other job.",
        class: Class::Safety,
    };

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
