//! Taking leases away: too early, too many, the wrong ones, or not at all.

use super::Bug;
use super::fencing::worker_of;
use super::flaw::{Flaw, Flawed};
use holdover_jobs::{Claimed, Command, ListExpired, Lose, Operated, Record, Recover, Reply, Status};
use holdover_machine::{Span, StoreTime};
use std::sync::Arc;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "snapshot-recovery",
        about: "Recovery writes what it had computed from its list, whatever became of the job since.",
        class: "recovery",
        source: "B03",
        invariant: "terminal-absorbing",
        masked_by: None,
        flaw: Flaw::store(snapshot_recovery),
    },
    Bug {
        id: "fixed-age-rescue",
        about: "Recovery goes by the age of the attempt and knows no heartbeats.",
        class: "recovery",
        source: "B08",
        invariant: "no-false-recovery",
        masked_by: None,
        flaw: Flaw::store(fixed_age_rescue),
    },
    Bug {
        id: "sentinel-compared",
        about: "A job without a time limit has -1 in its place, and -1 is always over.",
        class: "time-out",
        source: "B09",
        invariant: "no-false-recovery",
        masked_by: None,
        flaw: Flaw::store(sentinel_compared),
    },
    Bug {
        id: "deposed-recoverer",
        about: "A recoverer that is cut off from renewals acts on its own earlier view of when leases end.",
        class: "recovery",
        source: "B37, T14",
        invariant: "no-false-recovery",
        masked_by: None,
        flaw: Flaw::store(deposed_recoverer),
    },
    Bug {
        id: "early-by-tolerance",
        about: "Recovery takes a lease a little before its end, because clocks are never exact.",
        class: "recovery",
        source: "own",
        invariant: "no-false-recovery",
        masked_by: None,
        flaw: Flaw::policy(|policy| policy.settings.recovery_grace = Span::from_ms(-300)),
    },
    Bug {
        id: "crash-charges-nothing",
        about: "An attempt that ends by a crash of its worker is not charged.",
        class: "attempts",
        source: "B15",
        invariant: "attempts-bounded",
        masked_by: None,
        flaw: Flaw::store(crash_charges_nothing),
    },
    Bug {
        id: "double-charge",
        about: "A second recoverer of the same expiry charges the attempt once more.",
        class: "attempts",
        source: "B60",
        invariant: "attempts-charged",
        masked_by: None,
        flaw: Flaw::store(double_charge),
    },
    Bug {
        id: "unstarted-charged",
        about: "A lease that is lost before its start is charged as an attempt.",
        class: "attempts",
        source: "T20",
        invariant: "attempts-charged",
        masked_by: None,
        flaw: Flaw::store(unstarted_charged),
    },
    Bug {
        id: "exempt-after-limit",
        about: "A sweep takes its batch first and leaves out exempt jobs then, so that they hide those behind them.",
        class: "recovery batch",
        source: "B17",
        invariant: "eventual-recovery",
        masked_by: None,
        flaw: Flaw::store(exempt_after_limit),
    },
    Bug {
        id: "unbounded-sweep",
        about: "A sweep takes everything that is over, whatever its limit.",
        class: "recovery batch",
        source: "own",
        invariant: "bounded-recovery-batch",
        masked_by: None,
        flaw: Flaw::store(unbounded_sweep),
    },
    Bug {
        id: "swallowed-error",
        about: "A lease that was listed once and could not be taken is never listed again.",
        class: "recovery",
        source: "B19",
        invariant: "eventual-recovery",
        masked_by: None,
        flaw: Flaw::store(swallowed_error),
    },
    Bug {
        id: "claim-re-locks",
        about: "A claim locks an expired job anew, finds that it cannot have it, and leaves it locked.",
        class: "claim",
        source: "B20",
        invariant: "eventual-recovery",
        masked_by: None,
        flaw: Flaw::store(claim_re_locks),
    },
    Bug {
        id: "owner-row-missing",
        about: "A lease whose owner has no row of its own any more is not found by recovery.",
        class: "recovery",
        source: "B21",
        invariant: "eventual-recovery",
        masked_by: None,
        flaw: Flaw::store(owner_row_missing),
    },
    Bug {
        id: "lease-entry-lost",
        about: "A renewal replaces the entry that recovery looks at, and loses it.",
        class: "renewal",
        source: "B22",
        invariant: "eventual-recovery",
        masked_by: None,
        flaw: Flaw::store(lease_entry_lost),
    },
    Bug {
        id: "attempts-off-by-one",
        about: "A lost attempt is compared with the limit before it is counted.",
        class: "attempts",
        source: "own",
        invariant: "attempts-bounded",
        masked_by: None,
        flaw: Flaw::store(attempts_off_by_one),
    },
];

/// The job of a recovery, its token and what the loss means.
fn recovery(flawed: &Flawed<'_>) -> Option<Recover> {
    match &flawed.call.command {
        Command::Recover(recover) => Some((**recover).clone()),
        _ => None,
    }
}

/// The claim takes nothing over; what is over is found by this list and taken one by one.
fn without_take_over(flawed: &mut Flawed<'_>, over: impl Fn(&Flawed<'_>, &Record) -> bool) -> Reply {
    let Command::Claim(claim) = &flawed.call.command else { return flawed.sound() };
    let mut claim = claim.clone();
    if let Some((limit, lose)) = claim.take_over.take() {
        for record in listed(flawed, limit, &over) {
            take(flawed, &record, lose);
        }
    }
    flawed.command(Command::Claim(claim))
}

/// The held jobs whose lease is over and that this condition lets through, oldest expiry first.
fn listed(
    flawed: &mut Flawed<'_>,
    limit: u32,
    lets_through: impl Fn(&Flawed<'_>, &Record) -> bool,
) -> Vec<Arc<Record>> {
    let all = Command::ListExpired(ListExpired { limit: u32::MAX, grace: Span::ZERO });
    let Reply::Expired(mut list) = flawed.command(all) else { return Vec::new() };
    list.retain(|record| lets_through(flawed, record));
    list.truncate(limit as usize);
    list
}

fn take(flawed: &mut Flawed<'_>, record: &Record, lose: Lose) {
    if let Some(lease) = &record.lease {
        let (job, token) = (record.id().clone(), lease.token.clone());
        flawed.command(Command::Recover(Box::new(Recover { job, token, recheck: false, lose })));
    }
}

/// The list, of those that this condition lets through; and a claim takes over no others.
fn recovers_only(flawed: &mut Flawed<'_>, over: impl Fn(&Flawed<'_>, &Record) -> bool) -> Reply {
    match flawed.call.command {
        Command::ListExpired(list) => Reply::Expired(listed(flawed, list.limit, over)),
        _ => without_take_over(flawed, over),
    }
}

fn snapshot_recovery(flawed: &mut Flawed<'_>) -> Reply {
    let Some(recover) = recovery(flawed) else { return flawed.sound() };
    let reply = flawed.sound();
    let moved_on = flawed.table.record(&recover.job).filter(|record| record.lease.is_none()).cloned();
    match (&reply, moved_on) {
        (Reply::Operated(Operated::Refused { .. }), Some(record)) => {
            let now = flawed.table.judged_at();
            flawed.amend(&record, |record, _| {
                record.status = Status::Retryable;
                record.next_attempt_at = Some(now);
                record.completed_at = None;
            });
            Reply::Operated(Operated::Applied { record, replayed: false, now })
        }
        _ => reply,
    }
}

/// Every held job that this says is over is listed, and taken without another look.
fn listed_by(flawed: &mut Flawed<'_>, over: impl Fn(&Record, StoreTime) -> bool) -> Reply {
    match &flawed.call.command {
        Command::ListExpired(list) => {
            let now = flawed.now();
            let over = |record: &&Arc<Record>| record.status.is_held() && over(record, now);
            Reply::Expired(flawed.table.records().filter(over).take(list.limit as usize).cloned().collect())
        }
        Command::Recover(recover) => {
            flawed.command(Command::Recover(Box::new(Recover { recheck: false, ..(**recover).clone() })))
        }
        _ => flawed.sound(),
    }
}

fn fixed_age_rescue(flawed: &mut Flawed<'_>) -> Reply {
    listed_by(flawed, |record, now| {
        record.lease.as_ref().is_some_and(|lease| now - lease.acquired_at >= Span::from_ms(4_000))
    })
}

fn sentinel_compared(flawed: &mut Flawed<'_>) -> Reply {
    listed_by(flawed, |record, now| {
        let unlimited = record.status == Status::Running && record.spec.timeout >= Span::from_ms(30_000);
        unlimited || record.lease.as_ref().is_some_and(|lease| lease.open_for_others(now, Span::ZERO))
    })
}

fn deposed_recoverer(flawed: &mut Flawed<'_>) -> Reply {
    listed_by(flawed, |record, now| {
        record.lease.as_ref().is_some_and(|lease| lease.open_for_others(now, Span::from_ms(-1_500)))
    })
}

fn crash_charges_nothing(flawed: &mut Flawed<'_>) -> Reply {
    let Some(Recover { job, .. }) = recovery(flawed) else { return flawed.sound() };
    let before = flawed.table.record(&job).cloned();
    if let Some(record) = before.filter(|record| record.status == Status::Running) {
        flawed.amend(&record, |record, _| record.charged = 0);
    }
    flawed.sound()
}

fn double_charge(flawed: &mut Flawed<'_>) -> Reply {
    let reply = flawed.sound();
    let Some(Recover { token, .. }) = recovery(flawed) else { return reply };
    if let Reply::Operated(Operated::Refused { record: Some(record), .. }) = &reply
        && record.status == Status::Retryable
        && record.past.last().is_some_and(|past| past.token == token)
    {
        let record = Arc::clone(record);
        flawed.amend(&record, |record, _| record.charged += 1);
    }
    reply
}

fn unstarted_charged(flawed: &mut Flawed<'_>) -> Reply {
    let Some(Recover { job, .. }) = recovery(flawed) else { return flawed.sound() };
    let before = flawed.table.record(&job).cloned();
    let reply = flawed.sound();
    if let (Some(before), Reply::Operated(Operated::Applied { record, .. })) = (before, &reply)
        && before.status == Status::Leased
        && record.status == Status::Retryable
    {
        let record = Arc::clone(record);
        flawed.amend(&record, |record, _| record.charged += 1);
    }
    reply
}

fn exempt_after_limit(flawed: &mut Flawed<'_>) -> Reply {
    let exempt = |record: &Record| record.spec.timeout >= Span::from_ms(30_000);
    match flawed.call.command {
        Command::ListExpired(list) => {
            let batch = listed(flawed, list.limit, |_, _| true);
            Reply::Expired(batch.into_iter().filter(|record| !exempt(record)).collect())
        }
        _ => without_take_over(flawed, |_, record| !exempt(record)),
    }
}

fn unbounded_sweep(flawed: &mut Flawed<'_>) -> Reply {
    match flawed.call.command {
        Command::ListExpired(list) => {
            flawed.command(Command::ListExpired(ListExpired { limit: u32::MAX, ..list }))
        }
        _ => flawed.sound(),
    }
}

fn swallowed_error(flawed: &mut Flawed<'_>) -> Reply {
    let name = |record: &Record| u64::from(record.number) << 32 | u64::from(record.attempts);
    let reply = recovers_only(flawed, |flawed, record| !flawed.memory.contains_key(&name(record)));
    if let Reply::Expired(list) = &reply {
        flawed.memory.extend(list.iter().map(|record| (name(record), 0)));
    }
    reply
}

fn claim_re_locks(flawed: &mut Flawed<'_>) -> Reply {
    let Command::Claim(claim) = &flawed.call.command else { return flawed.sound() };
    let lease = claim.lease;
    let Some(record) = listed(flawed, 1, |_, _| true).pop() else { return flawed.sound() };
    let now = flawed.table.judged_at();
    flawed.amend(&record, |record, _| {
        if let Some(held) = &mut record.lease {
            held.expires_at = now + lease;
        }
    });
    Reply::Claimed(Claimed::Nothing)
}

fn owner_row_missing(flawed: &mut Flawed<'_>) -> Reply {
    if let Command::Claim(claim) = &flawed.call.command
        && let Some(incarnation) = claim.incarnation
    {
        flawed.memory.insert(worker_of(incarnation), incarnation.0 as i64);
    }
    recovers_only(flawed, |flawed, record| {
        let owner = record.lease.as_ref().and_then(|lease| lease.incarnation);
        owner.is_some_and(|owner| flawed.memory.get(&worker_of(owner)) == Some(&(owner.0 as i64)))
    })
}

fn lease_entry_lost(flawed: &mut Flawed<'_>) -> Reply {
    recovers_only(flawed, |_, record| {
        record.lease.as_ref().is_some_and(|lease| lease.heartbeat_at == lease.acquired_at)
    })
}

fn attempts_off_by_one(flawed: &mut Flawed<'_>) -> Reply {
    let Some(Recover { job, .. }) = recovery(flawed) else { return flawed.sound() };
    let running = |record: &&Arc<Record>| record.status == Status::Running && record.charged > 0;
    let before = flawed.table.record(&job).filter(running).cloned();
    if let Some(record) = &before {
        flawed.amend(record, |record, _| record.charged -= 1);
    }
    let reply = flawed.sound();
    if before.is_some()
        && let Some(record) = flawed.table.record(&job).cloned()
    {
        flawed.amend(&record, |record, _| record.charged += 1);
    }
    reply
}
