//! Totals that are kept beside the records, and drift.

use super::Bug;
use super::flaw::{Flaw, Flawed};
use holdover_jobs::{Command, Operated, Reply, Status};

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "counter-outside-guard",
        about: "A completion lowers the count of running jobs before it is known to be accepted.",
        class: "stats",
        source: "B48",
        invariant: "stats-consistent",
        masked_by: None,
        flaw: Flaw::store(counter_outside_guard),
    },
    Bug {
        id: "waiting-counted-claimable",
        about: "Retries that are not due yet are counted as claimable.",
        class: "stats",
        source: "own",
        invariant: "stats-consistent",
        masked_by: None,
        flaw: Flaw::store(waiting_counted_claimable),
    },
];

fn counter_outside_guard(flawed: &mut Flawed<'_>) -> Reply {
    let mut reply = flawed.sound();
    let drift = flawed.memory.entry(0).or_insert(0);
    match (&flawed.call.command, &mut reply) {
        (Command::Operate(_), Reply::Operated(Operated::Refused { .. })) => *drift += 1,
        (_, Reply::QueueStats(stats)) => {
            let running = &mut stats.counts[Status::Running as usize];
            *running = running.saturating_sub(drift.unsigned_abs());
        }
        _ => {}
    }
    reply
}

fn waiting_counted_claimable(flawed: &mut Flawed<'_>) -> Reply {
    let mut reply = flawed.sound();
    let now = flawed.table.judged_at();
    if let Reply::QueueStats(stats) = &mut reply {
        let waits = flawed.table.records().filter(|record| {
            record.status == Status::Retryable && record.next_attempt_at.is_some_and(|due| due > now)
        });
        stats.claimable += waits.count() as u64;
    }
    reply
}
