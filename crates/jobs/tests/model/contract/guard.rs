use holdover_jobs::rules::Identity;
use holdover_jobs::*;
use holdover_machine::StoreTime;

/// What the guards say together.
pub(crate) enum Verdict {
    /// It may be carried out.
    Pass,
    /// It was carried out before.
    Repeated,
    /// It may not.
    Refused(Refusal),
}

/// The first guard that does not pass decides.
pub(crate) fn ask(record: &Record, now: StoreTime, operate: &Operate) -> Verdict {
    for guard in operate.guards.iter() {
        let lease = record.lease.as_ref();
        let (passes, refusal) = match guard {
            Guard::Replay(identity) => match repeat(record, now, operate, identity) {
                Verdict::Pass => continue,
                verdict => return verdict,
            },
            Guard::Status(set) => (set.has(record.status), Refusal::StatusMismatch),
            Guard::Holder(identity) => {
                let own = lease.is_some_and(|lease| is_of(&operate.holder, identity, &attempt_of(lease)));
                (own, Refusal::LeaseMismatch)
            }
            Guard::Unexpired => (lease.is_some_and(|lease| now < lease.expires_at), Refusal::LeaseMismatch),
            Guard::CancelRequested => (record.cancel.is_some(), Refusal::StatusMismatch),
        };
        if !passes {
            return Verdict::Refused(refusal);
        }
    }
    Verdict::Pass
}

/// Whose an attempt is: its token, its number, and the process.
type Owner = (LeaseToken, u32, Option<Incarnation>);

fn attempt_of(lease: &Lease) -> Owner {
    (lease.token.clone(), lease.attempt, lease.incarnation)
}

/// The token must be the same, and where more is asked for, so must be what the caller says of itself besides.
fn is_of(holder: &Holder, identity: Identity, (token, attempt, incarnation): &Owner) -> bool {
    let agrees = holder.attempt.is_none_or(|said| said == *attempt)
        && holder.incarnation.is_none_or(|said| *incarnation == Some(said));
    holder.token == *token && (identity == Identity::Token || agrees)
}

/// A start is repeated while its lease lives. Another operation is repeated if the caller's attempt ended by that
/// very one; if it ended by another one of the caller's own, it is settled; if it was lost, this guard is silent.
fn repeat(record: &Record, now: StoreTime, operate: &Operate, identity: Identity) -> Verdict {
    if let (Change::Start { .. }, Status::Running, Some(lease)) =
        (&operate.change, record.status, &record.lease)
        && now < lease.expires_at
        && is_of(&operate.holder, identity, &attempt_of(lease))
    {
        return Verdict::Repeated;
    }
    let own = |past: &&PastAttempt| {
        is_of(&operate.holder, identity, &(past.token.clone(), past.attempt, past.incarnation))
    };
    let Some(past) = record.past.iter().find(own) else { return Verdict::Pass };
    let same = match (&past.ending, &operate.change) {
        (Ending::Lost, _) => return Verdict::Pass,
        (Ending::Completed(first), Change::Complete { result, .. }) => first == result,
        (Ending::Failed(first), Change::Fail { error, .. }) => first == error,
        (Ending::Acknowledged, Change::Acknowledge) => true,
        _ => false,
    };
    if same { Verdict::Repeated } else { Verdict::Refused(Refusal::AttemptSettled) }
}
