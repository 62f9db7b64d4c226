use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Reply, Status};

/// Absolute: counters are derived, and must not drift.
#[derive(Debug, Clone, Default)]
pub(super) struct StatsConsistent;

impl Invariant for StatsConsistent {
    const INFO: InvariantInfo = InvariantInfo {
        id: "stats-consistent",
        promise: "The totals of the queue are those of a recount.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { reply: Reply::QueueStats(stats), judged_at, .. } = fact else { return };
        let mut counts = [0; Status::ALL.len()];
        let (mut claimable, mut expired) = (0, 0);
        for record in scene.table.records() {
            counts[record.status as usize] += 1;
            let due = record.next_attempt_at.is_some_and(|due| due <= *judged_at);
            claimable +=
                u64::from(record.status == Status::Queued || (record.status == Status::Retryable && due));
            expired += u64::from(record.lease.as_ref().is_some_and(|lease| lease.expires_at <= *judged_at));
        }
        findings.expect(
            (stats.counts, stats.claimable, stats.expired) == (counts, claimable, expired),
            || {
                let recount = format!(
                    "{} claimable, {} expired; recounted {claimable} and {expired}",
                    stats.claimable, stats.expired
                );
                (format!("the totals say {recount}"), Vec::new())
            },
        );
    }
}
