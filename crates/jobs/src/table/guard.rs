//! The guards of an operation, asked in the order in which the command lists them.

use crate::rules::Identity;
use crate::{
    Change, Ending, Guard, Holder, Incarnation, LeaseToken, Operate, PastAttempt, Record, Refusal, Status,
};
use holdover_machine::StoreTime;

pub(super) enum Verdict {
    Pass,
    Replay,
    Refuse(Refusal),
}

/// Asks the guards of an operation on this record.
pub(super) fn ask(record: &Record, now: StoreTime, operate: &Operate) -> Verdict {
    for guard in operate.guards.iter() {
        let verdict = match guard {
            Guard::Replay(identity) => replay(record, now, operate, identity),
            Guard::Status(set) => refuse_unless(set.has(record.status), Refusal::StatusMismatch),
            Guard::Holder(identity) => {
                refuse_unless(holds(record, &operate.holder, identity), Refusal::LeaseMismatch)
            }
            Guard::Unexpired => {
                let open = record.lease.as_ref().is_some_and(|lease| lease.open_for_owner(now));
                refuse_unless(open, Refusal::LeaseMismatch)
            }
            Guard::CancelRequested => refuse_unless(record.cancel.is_some(), Refusal::StatusMismatch),
        };
        if !matches!(verdict, Verdict::Pass) {
            return verdict;
        }
    }
    Verdict::Pass
}

fn refuse_unless(condition: bool, reason: Refusal) -> Verdict {
    if condition { Verdict::Pass } else { Verdict::Refuse(reason) }
}

fn holds(record: &Record, holder: &Holder, identity: Identity) -> bool {
    let lease = record.lease.as_ref();
    lease.is_some_and(|lease| is_same(holder, identity, &lease.token, lease.attempt, lease.incarnation))
}

/// Whether the caller is the one that this attempt was granted to. What it does not say is not compared.
fn is_same(
    holder: &Holder,
    identity: Identity,
    token: &LeaseToken,
    attempt: u32,
    incarnation: Option<Incarnation>,
) -> bool {
    holder.token == *token
        && match identity {
            Identity::Token => true,
            Identity::Attempt => {
                holder.attempt.is_none_or(|given| given == attempt)
                    && holder.incarnation.is_none_or(|given| Some(given) == incarnation)
            }
        }
}

/// The caller's own earlier operation, if this one repeats it or comes after it.
fn replay(record: &Record, now: StoreTime, operate: &Operate, identity: Identity) -> Verdict {
    if matches!(operate.change, Change::Start { .. }) && record.status == Status::Running {
        let live = record.lease.as_ref().is_some_and(|lease| lease.open_for_owner(now));
        if live && holds(record, &operate.holder, identity) {
            return Verdict::Replay;
        }
    }
    let own =
        |past: &&PastAttempt| is_same(&operate.holder, identity, &past.token, past.attempt, past.incarnation);
    match record.past.iter().find(own) {
        None => Verdict::Pass,
        Some(past) => match (&past.ending, &operate.change) {
            (Ending::Lost, _) => Verdict::Pass,
            (Ending::Completed(first), Change::Complete { result, .. }) if first == result => Verdict::Replay,
            (Ending::Failed(first), Change::Fail { error, .. }) if first == error => Verdict::Replay,
            (Ending::Acknowledged, Change::Acknowledge) => Verdict::Replay,
            _ => Verdict::Refuse(Refusal::AttemptSettled),
        },
    }
}
