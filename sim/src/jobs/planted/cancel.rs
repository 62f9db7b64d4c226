//! Cancels that are accepted and then forgotten on one of the ways a job can end.

use super::Bug;
use super::claim::applied;
use super::flaw::{Flaw, Flawed};
use holdover_jobs::{
    Action, CancelRequest, Change, Command, Event, EventBody, JobId, Operated, Reply, Status,
};
use holdover_machine::Span;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "cancel-forgotten-by-complete",
        about: "A completion does not look at the cancel that was asked for.",
        class: "cancel",
        source: "B31, T17",
        invariant: "cancel-wins",
        masked_by: None,
        flaw: Flaw::store(|flawed| forgotten_by(flawed, Action::Complete)),
    },
    Bug {
        id: "cancel-forgotten-by-fail",
        about: "A failure is retried although a cancel was asked for.",
        class: "cancel",
        source: "B31, T17",
        invariant: "cancel-wins",
        masked_by: None,
        flaw: Flaw::store(|flawed| forgotten_by(flawed, Action::Fail)),
    },
    Bug {
        id: "cancel-forgotten-by-recovery",
        about: "A job that was to be cancelled is offered again when its worker dies.",
        class: "cancel",
        source: "B31, T17",
        invariant: "cancel-wins",
        masked_by: None,
        flaw: Flaw::store(forgotten_by_recovery),
    },
    Bug {
        id: "cancelled-lease-starts",
        about: "The cancel of a leased job leaves a mark that its start does not look at.",
        class: "cancel",
        source: "B31",
        invariant: "cancel-wins",
        masked_by: None,
        flaw: Flaw::store(cancelled_lease_starts),
    },
    Bug {
        id: "cancel-drops-result",
        about: "The result of an attempt under cancel is acknowledged and not kept.",
        class: "cancel",
        source: "T21",
        invariant: "no-lost-job",
        masked_by: None,
        flaw: Flaw::store(cancel_drops_result),
    },
    Bug {
        id: "cancel-renewed-for-ever",
        about: "A worker that ignores a cancel can renew its lease as if nothing had been asked.",
        class: "cancel",
        source: "T22",
        invariant: "cancel-wins",
        masked_by: None,
        flaw: Flaw::policy(|policy| policy.settings.cancel_grace = Span::from_ms(3_600_000)),
    },
    Bug {
        id: "cancel-reopens",
        about: "A cancel ends a job that has already succeeded, and so undoes its end.",
        class: "cancel",
        source: "own",
        invariant: "terminal-absorbing",
        masked_by: None,
        flaw: Flaw::store(cancel_reopens),
    },
];

/// Takes the mark of a cancel from a job.
fn forget(flawed: &mut Flawed<'_>, job: &JobId) {
    if let Some(record) = flawed.table.record(job).filter(|record| record.cancel.is_some()).cloned() {
        flawed.amend(&record, |record, _| record.cancel = None);
    }
}

fn forgotten_by(flawed: &mut Flawed<'_>, action: Action) -> Reply {
    if let Command::Operate(operate) = &flawed.call.command
        && operate.change.action() == action
    {
        forget(flawed, &operate.job);
    }
    flawed.sound()
}

fn forgotten_by_recovery(flawed: &mut Flawed<'_>) -> Reply {
    if let Command::Recover(recover) = &flawed.call.command {
        forget(flawed, &recover.job);
    }
    flawed.sound()
}

fn cancelled_lease_starts(flawed: &mut Flawed<'_>) -> Reply {
    let Command::Cancel(cancel) = &flawed.call.command else { return flawed.sound() };
    let now = flawed.now();
    let leased = flawed.table.record(&cancel.job).filter(|record| {
        record.status == Status::Leased && record.spec.cancellation_allowed && record.cancel.is_none()
    });
    let Some(record) = leased.cloned() else { return flawed.sound() };
    let reason = cancel.reason.clone();
    flawed.amend(&record, |record, log| {
        record.cancel = Some(CancelRequest { reason: reason.clone(), at: now });
        log.push(Event {
            sequence: log.len() as u64 + 1,
            at: now,
            body: EventBody::CancelRequested { reason },
        });
    });
    let record = flawed.table.record(&cancel.job).cloned().unwrap_or(record);
    Reply::Operated(Operated::Applied { record, replayed: false, now })
}

fn cancel_drops_result(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    let completes = |operate: &holdover_jobs::Operate| matches!(operate.change, Change::Complete { .. });
    if let Command::Operate(operate) = &flawed.call.command
        && completes(operate)
        && let Some(record) = applied(&reply).filter(|record| record.status == Status::Cancelled).cloned()
    {
        flawed.amend(&record, |record, _| record.result = None);
    }
    reply
}

fn cancel_reopens(flawed: &mut Flawed<'_>) -> Reply {
    let Command::Cancel(cancel) = &flawed.call.command else { return flawed.sound() };
    let now = flawed.now();
    let reply = flawed.sound();
    let ended = flawed.table.record(&cancel.job).filter(|record| record.status == Status::Succeeded).cloned();
    if let Some(record) = ended {
        let reason = cancel.reason.clone();
        flawed.amend(&record, |record, log| {
            record.status = Status::Cancelled;
            log.push(Event {
                sequence: log.len() as u64 + 1,
                at: now,
                body: EventBody::Cancelled { reason },
            });
        });
    }
    reply
}
