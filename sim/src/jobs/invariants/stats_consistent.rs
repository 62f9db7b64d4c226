use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{QueueStats, Reply, Status};

/// Absolute: counters are derived, and must not drift.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
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
        let recount = QueueStats { counts, claimable, expired };
        findings.expect(*stats == recount, || {
            let say = |stats: &QueueStats| serde_json::Value::Object(stats.to_members()).to_string();
            (format!("the totals say {}; recounted {}", say(stats), say(&recount)), Vec::new())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw, is_stats};
    use super::*;
    use crate::jobs::action::Deed;
    use crate::jobs::task::Twist;

    /// Totals of a table with a job of each sort hold; a count that is one off, of any kind, falls.
    #[test]
    fn totals_are_those_of_a_recount() {
        let mut bench = Bench::<StatsConsistent>::new();
        assert_eq!(bench.stats(), Saw::Held, "an empty table");
        bench.begin(2, 0);
        bench.work(0, Deed::Fail { delay: 0 });
        bench.begin(1, 1);
        bench.create(0, Twist::Plain);
        assert_eq!(bench.stats(), Saw::Held, "the retry is not due");
        bench.wait(5_000);
        assert_eq!(bench.stats(), Saw::Held, "the retry is due and a lease is over");
        let mut honest = bench.last(is_stats);
        let Reply::QueueStats(stats) = honest.reply else { panic!("{:?}", honest.reply) };
        assert_eq!((stats.claimable, stats.expired, stats.total()), (2, 1, 3));
        let off: [fn(&mut QueueStats); 3] = [
            |stats| stats.counts[Status::Queued as usize] += 1,
            |stats| stats.claimable -= 1,
            |stats| stats.expired -= 1,
        ];
        for change in off {
            let mut doctored = stats;
            change(&mut doctored);
            honest.reply = Reply::QueueStats(doctored);
            assert_eq!(bench.see_call(&honest), Saw::Fell, "{doctored:?}");
        }
    }
}
