//! The time between two attempts: forgotten, overflowed, or kept where it dies.

use super::Bug;
use super::flaw::{Crashed, Flaw, Flawed, amend};
use crate::jobs::node::Node;
use holdover_jobs::{Command, Record, Reply, Status};
use holdover_machine::StoreTime;
use std::sync::Arc;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "back-off-forgotten",
        about: "A store that comes back after a crash has forgotten until when retries wait.",
        class: "back-off",
        source: "B39",
        invariant: "no-early-retry",
        masked_by: None,
        flaw: Flaw { crash: Some(back_off_forgotten), ..Flaw::NONE },
    },
    Bug {
        id: "timer-in-memory",
        about: "The timer of a retry is in the memory of a service, and dies with it.",
        class: "back-off",
        source: "B40",
        invariant: "eventual-recovery",
        masked_by: None,
        flaw: Flaw { store: Some(timer_in_memory), crash: Some(timers_lost), ..Flaw::NONE },
    },
    Bug {
        id: "overflow-before-cap",
        about: "The back-off is shifted before it is capped, and overflows to nothing.",
        class: "back-off",
        source: "B41",
        invariant: "no-early-retry",
        masked_by: None,
        flaw: Flaw::store(overflow_before_cap),
    },
    Bug {
        id: "removed-before-durable",
        about: "A due retry is taken from the delayed set before it is put among the ready ones.",
        class: "durability",
        source: "B26",
        invariant: "eventual-recovery",
        masked_by: None,
        flaw: Flaw { store: Some(removed_before_durable), crash: Some(moved_lost), ..Flaw::NONE },
    },
    Bug {
        id: "seconds-for-milliseconds",
        about: "The back-off is kept in whole seconds, rounded down.",
        class: "back-off",
        source: "own",
        invariant: "no-early-retry",
        masked_by: None,
        flaw: Flaw::store(rounded_down),
    },
];

/// A time that never comes.
const NEVER: i64 = 1 << 52;

fn waiting(record: &&Arc<Record>) -> bool {
    record.status == Status::Retryable && record.next_attempt_at.is_some_and(|due| due.ms() < NEVER)
}

fn set_due(record: &mut Record, due: StoreTime) {
    record.next_attempt_at = Some(due);
    record.ready_at = due;
}

fn back_off_forgotten(node: Node, crashed: &mut Crashed<'_>) {
    if node != Node::Store {
        return;
    }
    let now = crashed.table.judged_at();
    let all: Vec<_> = crashed.table.records().filter(waiting).cloned().collect();
    for record in all {
        amend(crashed.table, &record, |record, _| set_due(record, now));
    }
}

/// Moves the due time of a job into a memory that can be lost.
fn forget_due(flawed: &mut Flawed<'_>, record: &Arc<Record>) {
    let Some(due) = record.next_attempt_at else { return };
    flawed.memory.insert(u64::from(record.number), due.ms());
    flawed.amend(record, |record, _| set_due(record, StoreTime::from_ms(NEVER)));
}

/// Puts back what the memory still has, if this lets it.
fn put_back(flawed: &mut Flawed<'_>, lets: impl Fn(i64) -> bool) {
    let due: Vec<(u64, i64)> =
        flawed.memory.iter().map(|(&job, &due)| (job, due)).filter(|&(_, due)| lets(due)).collect();
    for (number, due) in due {
        flawed.memory.remove(&number);
        let job = u32::try_from(number).ok().and_then(|number| flawed.table.job(number));
        let Some(record) = job.map(|(record, _)| Arc::clone(record)) else { continue };
        if record.status == Status::Retryable {
            flawed.amend(&record, |record, _| set_due(record, StoreTime::from_ms(due)));
        }
    }
}

fn timer_in_memory(flawed: &mut Flawed<'_>) -> Reply {
    if matches!(flawed.call.command, Command::Claim(_)) {
        let now = flawed.now().ms();
        put_back(flawed, |due| due <= now);
    }
    let reply = flawed.sound();
    let fresh: Vec<_> = flawed.table.records().filter(waiting).cloned().collect();
    let now = flawed.table.judged_at();
    for record in fresh.iter().filter(|record| record.next_attempt_at.is_some_and(|due| due > now)) {
        forget_due(flawed, record);
    }
    reply
}

fn timers_lost(node: Node, crashed: &mut Crashed<'_>) {
    if matches!(node, Node::Service(_)) {
        crashed.memory.clear();
    }
}

fn removed_before_durable(flawed: &mut Flawed<'_>) -> Reply {
    put_back(flawed, |_| true);
    let reply = flawed.sound();
    let now = flawed.table.judged_at();
    let due = |record: &&Arc<Record>| waiting(record) && record.next_attempt_at.is_some_and(|due| due <= now);
    let due: Vec<_> = flawed.table.records().filter(due).cloned().collect();
    for record in &due {
        forget_due(flawed, record);
    }
    reply
}

fn moved_lost(node: Node, crashed: &mut Crashed<'_>) {
    if node == Node::Store {
        crashed.memory.clear();
    }
}

/// The job of a call that ends an attempt, if it waits for a retry afterwards.
fn sent_to_retry(flawed: &mut Flawed<'_>) -> (Reply, Vec<Arc<Record>>) {
    let reply = flawed.sound();
    let touched = flawed.table.touched().iter().filter_map(|touched| {
        let (record, _) = flawed.table.job(touched.number)?;
        let was_held = touched.before.as_ref().is_some_and(|before| before.status.is_held());
        (was_held && record.status == Status::Retryable).then(|| Arc::clone(record))
    });
    let jobs = touched.collect();
    (reply, jobs)
}

fn overflow_before_cap(flawed: &mut Flawed<'_>) -> Reply {
    let (reply, jobs) = sent_to_retry(flawed);
    let now = flawed.table.judged_at();
    for record in jobs.iter().filter(|record| record.charged + record.unstarted >= 2) {
        flawed.amend(record, |record, _| set_due(record, now));
    }
    reply
}

fn rounded_down(flawed: &mut Flawed<'_>) -> Reply {
    let (reply, jobs) = sent_to_retry(flawed);
    for record in &jobs {
        let due = record.next_attempt_at.map_or(0, |due| due.ms());
        flawed.amend(record, |record, _| set_due(record, StoreTime::from_ms(due / 1_000 * 1_000)));
    }
    reply
}
