//! The log beside the record: an event missing, numbered twice, or telling something else.

use super::Bug;
use super::claim::applied;
use super::flaw::{Flaw, Flawed};
use holdover_jobs::{Change, Command, Event, EventBody, Operated, Reply, Status};

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "event-write-swallowed",
        about: "The record is stored before its event, and an event that cannot be written is left out.",
        class: "event log",
        source: "W24",
        invariant: "event-log-gapless",
        masked_by: None,
        flaw: Flaw::store(event_write_swallowed),
    },
    Bug {
        id: "number-before-commit",
        about: "An event takes its number before its change is known to commit, and a refusal leaves a gap.",
        class: "event log",
        source: "B45",
        invariant: "event-log-gapless",
        masked_by: None,
        flaw: Flaw::store(number_before_commit),
    },
    Bug {
        id: "log-trimmed",
        about: "A trimmed log numbers its next event by its length.",
        class: "event log",
        source: "weaknesses",
        invariant: "event-log-gapless",
        masked_by: None,
        flaw: Flaw::store(log_trimmed),
    },
    Bug {
        id: "event-says-what-was-asked",
        about: "The event of a completion says that the job has succeeded, also where a cancel has won.",
        class: "event log",
        source: "own",
        invariant: "event-log-truthful",
        masked_by: None,
        flaw: Flaw::store(event_says_what_was_asked),
    },
    Bug {
        id: "event-dated-by-lease",
        about: "The event of a recovery is dated to when the lease was granted instead of to when it was taken.",
        class: "event log",
        source: "own",
        invariant: "time-order",
        masked_by: None,
        flaw: Flaw::store(event_dated_by_lease),
    },
];

fn event_write_swallowed(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    if let Command::Operate(operate) = &flawed.call.command
        && matches!(operate.change, Change::Fail { .. })
        && let Some(record) = applied(&reply).cloned()
    {
        flawed.amend(&record, |_, log| {
            log.pop();
        });
    }
    reply
}

fn number_before_commit(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    match &reply {
        Reply::Operated(Operated::Refused { record: Some(record), .. }) => {
            *flawed.memory.entry(u64::from(record.number)).or_insert(0) += 1;
        }
        Reply::Operated(Operated::Applied { record, replayed: false, .. }) => {
            let skipped = flawed.memory.get(&u64::from(record.number)).copied().unwrap_or(0);
            let record = record.clone();
            if skipped > 0 {
                flawed.amend(&record, |_, log| renumber_last(log, skipped as u64));
            }
        }
        _ => {}
    }
    reply
}

fn renumber_last(log: &mut [Event], skipped: u64) {
    let next = log.len() as u64;
    if let Some(last) = log.last_mut().filter(|last| last.sequence == next) {
        last.sequence += skipped;
    }
}

fn log_trimmed(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    if let Some(record) = applied(&reply).cloned() {
        flawed.amend(&record, |_, log| {
            if log.len() > 6 {
                log.remove(0);
            }
        });
    }
    reply
}

fn event_says_what_was_asked(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    if let Command::Operate(operate) = &flawed.call.command
        && let Change::Complete { result, .. } = &operate.change
        && let Some(record) = applied(&reply).filter(|record| record.status == Status::Cancelled).cloned()
    {
        let result = result.clone();
        flawed.amend(&record, |_, log| {
            if let Some(last) = log.last_mut() {
                last.body = EventBody::Succeeded { result };
            }
        });
    }
    reply
}

fn event_dated_by_lease(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    if let Command::Recover(_) = &flawed.call.command
        && let Some(record) = applied(&reply).cloned()
    {
        let granted = flawed
            .table
            .touched()
            .first()
            .and_then(|touched| touched.before.as_ref()?.lease.as_ref().map(|lease| lease.acquired_at));
        flawed.amend(&record, |_, log| {
            if let (Some(last), Some(at)) = (log.last_mut(), granted) {
                last.at = at;
            }
        });
    }
    reply
}
