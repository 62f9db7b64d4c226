//! Starting and ending an attempt: what is answered to a repeat, and what outlives the lease.

use super::Bug;
use super::claim::applied;
use super::flaw::{Flaw, Flawed};
use holdover_jobs::rules::{Renew, Timeout};
use holdover_jobs::{
    Action, Call, Change, Command, Ending, Guard, Guards, Lease, Operate, Operated, Record, Refusal, Reply,
    Status,
};
use holdover_machine::Span;
use std::sync::Arc;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "zero-rows-taken-as-success",
        about: "An operation that changed no row is answered as if it had been carried out.",
        class: "outcome",
        source: "B04",
        invariant: "no-lost-job",
        masked_by: None,
        flaw: Flaw::told(zero_rows_taken_as_success),
    },
    Bug {
        id: "status-before-replay",
        about: "A repeat is refused for the status that its first transmission has brought about.",
        class: "repeat",
        source: "T5",
        invariant: "idempotent-settle",
        masked_by: None,
        flaw: Flaw::store(status_before_replay),
    },
    Bug {
        id: "replay-by-operation",
        about: "A report is answered as recorded if any attempt of the job was ended by such a report.",
        class: "repeat",
        source: "T6",
        invariant: "no-lost-job",
        masked_by: None,
        flaw: Flaw::store(replay_by_operation),
    },
    Bug {
        id: "replay-before-token",
        about: "A repeated start is answered before its token is looked at, token and all.",
        class: "secrecy",
        source: "T7",
        invariant: "no-secret",
        masked_by: None,
        flaw: Flaw::store(replay_before_token),
    },
    Bug {
        id: "one-past-attempt",
        about: "Only the last ended attempt is remembered, and a repeat of an earlier report is refused.",
        class: "repeat",
        source: "T8",
        invariant: "idempotent-settle",
        masked_by: None,
        flaw: Flaw::store(one_past_attempt),
    },
    Bug {
        id: "spare-second",
        about: "Operations are accepted for one more second after the end of their lease.",
        class: "expiry",
        source: "own",
        invariant: "expired-is-over",
        masked_by: None,
        flaw: Flaw::store(spare_second),
    },
    Bug {
        id: "renewal-before-start",
        about: "A lease can be renewed for ever without a start, as only a start sets a deadline.",
        class: "time-out",
        source: "T11",
        invariant: "attempt-timeout",
        masked_by: None,
        flaw: Flaw::store(renewal_before_start),
    },
    Bug {
        id: "renewal-outlives-lease",
        about: "A heartbeat that was under way when its attempt ended puts the lease entry back.",
        class: "renewal",
        source: "B49",
        invariant: "terminal-absorbing",
        masked_by: None,
        flaw: Flaw::store(renewal_outlives_lease),
    },
    Bug {
        id: "heartbeat-halves",
        about: "Each heartbeat renews by half of what was asked, also where more than that is left.",
        class: "renewal",
        source: "own",
        invariant: "heartbeat-monotone",
        masked_by: None,
        flaw: Flaw::store(heartbeat_halves),
    },
    Bug {
        id: "timeout-from-heartbeat",
        about: "The time-out of an attempt is counted from its last heartbeat instead of its start.",
        class: "time-out",
        source: "own",
        invariant: "attempt-timeout",
        masked_by: None,
        flaw: Flaw::store(timeout_from_heartbeat),
    },
];

fn operation_of<'a>(flawed: &Flawed<'a>) -> Option<&'a Operate> {
    match &flawed.call.command {
        Command::Operate(operate) => Some(&**operate),
        _ => None,
    }
}

/// The operation with other guards.
fn guarded(flawed: &mut Flawed<'_>, operate: &Operate, guards: Guards) -> Reply {
    flawed.command(Command::Operate(Box::new(Operate { guards, ..operate.clone() })))
}

fn zero_rows_taken_as_success(call: &Call, reply: &mut Reply) {
    let Command::Operate(operate) = &call.command else { return };
    let settles = matches!(operate.change, Change::Complete { .. });
    if let Reply::Operated(Operated::Refused { record: Some(record), .. }) = reply
        && settles
    {
        let (record, now) = (Arc::clone(record), record.updated_at);
        *reply = Reply::Operated(Operated::Applied { record, replayed: false, now });
    }
}

fn status_before_replay(flawed: &mut Flawed<'_>) -> Reply {
    let Some(operate) = operation_of(flawed) else { return flawed.sound() };
    let (status, rest): (Vec<_>, Vec<_>) =
        operate.guards.iter().partition(|guard| matches!(guard, Guard::Status(_)));
    let guards = status.into_iter().chain(rest).fold(Guards::default(), Guards::then);
    guarded(flawed, operate, guards)
}

fn replay_by_operation(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    let Some(Operate { change: Change::Complete { .. }, .. }) = operation_of(flawed) else { return reply };
    match &reply {
        Reply::Operated(Operated::Refused { record: Some(record), .. })
            if record.past.iter().any(|past| matches!(past.ending, Ending::Completed(_))) =>
        {
            let (record, now) = (Arc::clone(record), flawed.table.judged_at());
            Reply::Operated(Operated::Applied { record, replayed: true, now })
        }
        _ => reply,
    }
}

fn replay_before_token(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    let Some(Operate { change: Change::Start { .. }, .. }) = operation_of(flawed) else { return reply };
    match &reply {
        Reply::Operated(Operated::Refused { record: Some(record), .. })
            if record.status == Status::Running =>
        {
            let (record, now) = (Arc::clone(record), flawed.table.judged_at());
            Reply::Operated(Operated::Applied { record, replayed: true, now })
        }
        _ => reply,
    }
}

fn one_past_attempt(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    if let Some(record) = applied(&reply).filter(|record| record.past.len() > 1).cloned() {
        flawed.amend(&record, |record, _| {
            record.past.drain(..record.past.len() - 1);
        });
    }
    reply
}

fn spare_second(flawed: &mut Flawed<'_>) -> Reply {
    let Some(operate) = operation_of(flawed) else { return flawed.sound() };
    let now = flawed.now();
    let open = |lease: &Lease| lease.expires_at <= now && now < lease.expires_at + Span::from_ms(1_000);
    if flawed.table.record(&operate.job).is_some_and(|record| record.lease.as_ref().is_some_and(open)) {
        let kept = operate.guards.iter().filter(|guard| *guard != Guard::Unexpired);
        let guards = kept.fold(Guards::default(), Guards::then);
        return guarded(flawed, operate, guards);
    }
    flawed.sound()
}

/// The heartbeat with its change altered.
fn beating(flawed: &mut Flawed<'_>, alter: impl FnOnce(&mut Change)) -> Reply {
    match operation_of(flawed) {
        Some(operate) if matches!(operate.change, Change::Heartbeat { .. }) => {
            let mut operate = operate.clone();
            alter(&mut operate.change);
            flawed.command(Command::Operate(Box::new(operate)))
        }
        _ => flawed.sound(),
    }
}

fn renewal_before_start(flawed: &mut Flawed<'_>) -> Reply {
    let leased = operation_of(flawed)
        .and_then(|operate| flawed.table.record(&operate.job))
        .is_some_and(|record| record.status == Status::Leased);
    if !leased {
        return flawed.sound();
    }
    beating(flawed, |change| {
        if let Change::Heartbeat { timeout, .. } = change {
            *timeout = Timeout::Recorded;
        }
    })
}

fn renewal_outlives_lease(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    let Some(operate) = operation_of(flawed).filter(|operate| operate.change.action() == Action::Heartbeat)
    else {
        return reply;
    };
    let ended_own = |record: &&Arc<Record>| {
        record.status == Status::Succeeded
            && record.past.last().is_some_and(|past| past.token == operate.holder.token)
    };
    let Some(record) = flawed.table.record(&operate.job).filter(ended_own).cloned() else { return reply };
    let now = flawed.table.judged_at();
    flawed.amend(&record, |record, _| {
        record.status = Status::Running;
        record.lease = record.past.pop().map(|past| Lease {
            token: past.token,
            worker: "back".into(),
            incarnation: past.incarnation,
            attempt: past.attempt,
            acquired_at: now,
            heartbeat_at: now,
            expires_at: now + Span::from_ms(5_000),
            deadline: None,
        });
    });
    Reply::Operated(Operated::Refused { reason: Refusal::LeaseMismatch, record: Some(record) })
}

fn heartbeat_halves(flawed: &mut Flawed<'_>) -> Reply {
    beating(flawed, |change| {
        if let Change::Heartbeat { lease, renew, .. } = change {
            *lease = Span::from_ms(lease.ms() / 2);
            *renew = Renew::Overwrite;
        }
    })
}

fn timeout_from_heartbeat(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    let beats = operation_of(flawed).is_some_and(|operate| operate.change.action() == Action::Heartbeat);
    if let Some(record) = applied(&reply).filter(|_| beats).cloned() {
        let now = flawed.table.judged_at();
        flawed.amend(&record, |record, _| {
            let deadline = now + record.spec.timeout;
            if let Some(lease) = record.lease.as_mut().filter(|lease| lease.deadline.is_some()) {
                lease.deadline = Some(deadline);
            }
        });
    }
    reply
}
