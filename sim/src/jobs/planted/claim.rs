//! Handing jobs out: to two at once, too early, in the wrong order, or again for a claim that is repeated.

use super::Bug;
use super::flaw::{Flaw, Flawed};
use holdover_jobs::{
    Call, Claim, Claimed, Command, Event, EventBody, Grant, Lease, Operated, Record, Reply, Stamp, Status,
    Table,
};
use holdover_machine::{Span, StoreTime};
use std::sync::Arc;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "unlocked-select",
        about: "A claim updates the row that it has selected earlier, without looking at its status again.",
        class: "claim",
        source: "B24",
        invariant: "single-owner",
        masked_by: None,
        flaw: Flaw { read: Some(first_ready), store: Some(claim_what_was_seen), ..Flaw::NONE },
    },
    Bug {
        id: "early-hand-out",
        about: "A job that waits for its retry is handed out before it is due.",
        class: "back-off",
        source: "B13",
        invariant: "no-early-retry",
        masked_by: None,
        flaw: Flaw::store(early_hand_out),
    },
    Bug {
        id: "empty-claim-forgotten",
        about: "A numbered claim that found nothing is forgotten, and its duplicate is granted a job.",
        class: "claim repeat",
        source: "T3",
        invariant: "idempotent-claim",
        masked_by: None,
        flaw: Flaw::store(empty_claim_forgotten),
    },
    Bug {
        id: "overtaken-claim-granted",
        about: "A claim whose number was overtaken is taken for a new one.",
        class: "claim repeat",
        source: "T4",
        invariant: "idempotent-claim",
        masked_by: None,
        flaw: Flaw::store(|flawed| anew_if(flawed, |claimed| matches!(claimed, Claimed::Stale(_)))),
    },
    Bug {
        id: "ended-grant-claimed-again",
        about: "A repeated claim whose grant has ended is given another job.",
        class: "claim repeat",
        source: "T16",
        invariant: "idempotent-claim",
        masked_by: None,
        flaw: Flaw::store(|flawed| anew_if(flawed, |claimed| matches!(claimed, Claimed::Over))),
    },
    Bug {
        id: "claim-memory-short",
        about: "What a claim was given is forgotten before its last duplicate can have arrived.",
        class: "claim repeat",
        source: "T4",
        invariant: "idempotent-claim",
        masked_by: None,
        flaw: Flaw::policy(|policy| policy.settings.claim_memory = Span::from_ms(500)),
    },
    Bug {
        id: "newest-first",
        about: "Jobs are handed out in the order of a tie that nobody broke: the newest first.",
        class: "order",
        source: "B42",
        invariant: "fair-claim",
        masked_by: None,
        flaw: Flaw::store(newest_first),
    },
    Bug {
        id: "capacity-off-by-one",
        about: "A worker is given one lease more than it declares.",
        class: "capacity",
        source: "own",
        invariant: "lease-capacity",
        masked_by: None,
        flaw: Flaw::store(capacity_off_by_one),
    },
    Bug {
        id: "zone-shifted-claim",
        about: "A claim compares stored times with a reading in another time zone.",
        class: "clock",
        source: "B35",
        invariant: "lease-length",
        masked_by: None,
        flaw: Flaw::store(|flawed| claim_at(flawed, |flawed| flawed.clock + Span::from_ms(7_200_000))),
    },
    Bug {
        id: "claim-by-caller-clock",
        about: "A claim judges which leases are over by the clock of the service that claims.",
        class: "clock",
        source: "B33",
        invariant: "lease-length",
        masked_by: None,
        flaw: Flaw::store(|flawed| claim_at(flawed, |flawed| flawed.caller)),
    },
    Bug {
        id: "switch-cached",
        about: "The operator's switch is looked up once for each worker process, and its answer kept.",
        class: "switch",
        source: "own",
        invariant: "kill-switch",
        masked_by: None,
        flaw: Flaw::store(switch_cached),
    },
];

fn claim_of<'a>(flawed: &Flawed<'a>) -> Option<&'a Claim> {
    match &flawed.call.command {
        Command::Claim(claim) => Some(&**claim),
        _ => None,
    }
}

/// The jobs that this claim could be given at a time, the longest ready first.
fn ready(table: &Table, claim: &Claim, now: Option<StoreTime>) -> Vec<Arc<Record>> {
    let is_ready = |record: &&Arc<Record>| match record.status {
        Status::Queued => true,
        Status::Retryable => now.is_none_or(|now| record.next_attempt_at.is_some_and(|due| due <= now)),
        _ => false,
    };
    let fits = |record: &&Arc<Record>| claim.executors.contains(&record.spec.executor);
    let mut ready: Vec<_> = table.records().filter(is_ready).filter(fits).cloned().collect();
    ready.sort_by_key(|record| (record.ready_at, record.number));
    ready
}

/// Grants this job past the store's own choice.
fn grant(flawed: &mut Flawed<'_>, job: &Record, claim: &Claim) -> Reply {
    let now = flawed.now();
    let attempt = job.attempts + 1;
    let expires_at = now + claim.lease;
    flawed.amend(job, |record, log| {
        record.attempts = attempt;
        record.status = Status::Leased;
        record.next_attempt_at = None;
        record.lease = Some(Lease {
            token: claim.token.clone(),
            worker: claim.worker.clone(),
            incarnation: claim.incarnation,
            attempt,
            acquired_at: now,
            heartbeat_at: now,
            expires_at,
            deadline: None,
        });
        let (worker, executor) = (claim.worker.clone(), record.spec.executor.clone());
        let body = EventBody::Leased { worker, executor, attempt, expires_at };
        log.push(Event { sequence: log.len() as u64 + 1, at: now, body });
    });
    let record = flawed.table.record(job.id()).cloned();
    match record {
        Some(record) => Reply::Claimed(Claimed::Granted(Grant { record, replayed: false, now })),
        None => Reply::Claimed(Claimed::Nothing),
    }
}

fn first_ready(table: &Table, call: &Call) -> Option<Arc<Record>> {
    match &call.command {
        Command::Claim(claim) => ready(table, claim, Some(table.judged_at())).into_iter().next(),
        _ => None,
    }
}

/// A claim that had selected a job takes it if anybody else has it by now.
fn claim_what_was_seen(flawed: &mut Flawed<'_>) -> Reply {
    let Some(seen) = flawed.seen.clone() else { return flawed.sound() };
    let (Some(claim), Some(now)) = (claim_of(flawed), flawed.table.record(seen.id()).cloned()) else {
        return flawed.sound();
    };
    if now.status.is_held() { grant(flawed, &now, claim) } else { flawed.sound() }
}

fn early_hand_out(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    let Some(claim) = claim_of(flawed).filter(|_| reply == Reply::Claimed(Claimed::Nothing)) else {
        return reply;
    };
    let room = |flawed: &Flawed<'_>| {
        let held = |record: &&Arc<Record>| {
            record.lease.as_ref().is_some_and(|lease| lease.incarnation == claim.incarnation)
        };
        claim.held_max.is_none_or(|max| flawed.table.records().filter(held).count() < max as usize)
    };
    let waiting =
        ready(flawed.table, claim, None).into_iter().find(|record| record.status == Status::Retryable);
    match waiting {
        Some(job) if room(flawed) => grant(flawed, &job, claim),
        _ => reply,
    }
}

fn fresh(claim: &Claim) -> Command {
    Command::Claim(Box::new(Claim { number: None, ..claim.clone() }))
}

/// A claim that would be answered like this is carried out as if it were new.
fn anew_if(flawed: &mut Flawed<'_>, answered: impl FnOnce(&Claimed) -> bool) -> Reply {
    let reply = flawed.sound();
    match (claim_of(flawed), &reply) {
        (Some(claim), Reply::Claimed(claimed)) if answered(claimed) => flawed.command(fresh(claim)),
        _ => reply,
    }
}

fn empty_claim_forgotten(flawed: &mut Flawed<'_>) -> Reply {
    let Some((claim, incarnation, number)) =
        claim_of(flawed).and_then(|claim| Some((claim, claim.incarnation?, claim.number?)))
    else {
        return flawed.sound();
    };
    let found_nothing = flawed.memory.get(&incarnation.0) == Some(&(number as i64));
    let reply = if found_nothing { flawed.command(fresh(claim)) } else { flawed.sound() };
    if reply == Reply::Claimed(Claimed::Nothing) {
        flawed.memory.insert(incarnation.0, number as i64);
    }
    reply
}

fn newest_first(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    let (Some(claim), Reply::Claimed(Claimed::Granted(granted))) = (claim_of(flawed), &reply) else {
        return reply;
    };
    // What the sound store chose goes back where it was, and the newest is granted in its place.
    let now = flawed.table.judged_at();
    let newest = ready(flawed.table, claim, Some(now)).into_iter().max_by_key(|record| record.number);
    match newest.filter(|newest| !granted.replayed && newest.number > granted.record.number) {
        Some(newest) => {
            let chosen = Arc::clone(&granted.record);
            flawed.amend(&chosen, |record, log| {
                record.attempts -= 1;
                record.lease = None;
                record.status = if record.attempts == 0 { Status::Queued } else { Status::Retryable };
                record.next_attempt_at = (record.attempts > 0).then_some(record.ready_at);
                log.pop();
            });
            grant(flawed, &newest, claim)
        }
        None => reply,
    }
}

fn capacity_off_by_one(flawed: &mut Flawed<'_>) -> Reply {
    match claim_of(flawed) {
        Some(claim) => {
            let held_max = claim.held_max.map(|max| max + 1);
            flawed.command(Command::Claim(Box::new(Claim { held_max, ..claim.clone() })))
        }
        None => flawed.sound(),
    }
}

/// A claim that is judged by another time than the store's own.
fn claim_at(flawed: &mut Flawed<'_>, time: impl FnOnce(&Flawed<'_>) -> StoreTime) -> Reply {
    match claim_of(flawed) {
        Some(claim) => {
            let stamp = Stamp::Caller(time(flawed));
            let call = Call { stamp, command: Command::Claim(Box::new(claim.clone())) };
            flawed.table.execute(flawed.clock, &call)
        }
        None => flawed.sound(),
    }
}

fn switch_cached(flawed: &mut Flawed<'_>) -> Reply {
    let Some((claim, incarnation)) = claim_of(flawed).and_then(|claim| Some((claim, claim.incarnation?)))
    else {
        return flawed.sound();
    };
    let granted = |reply: &Reply| matches!(reply, Reply::Claimed(Claimed::Granted(_)));
    let known_open = flawed.memory.contains_key(&incarnation.0);
    let claim = Claim { ask_switch: claim.ask_switch && !known_open, ..claim.clone() };
    let reply = flawed.command(Command::Claim(Box::new(claim)));
    if granted(&reply) {
        flawed.memory.insert(incarnation.0, 1);
    }
    reply
}

/// Whether an operation was carried out now, and on which record.
pub(super) fn applied(reply: &Reply) -> Option<&Arc<Record>> {
    match reply {
        Reply::Operated(Operated::Applied { record, replayed: false, .. }) => Some(record),
        _ => None,
    }
}
