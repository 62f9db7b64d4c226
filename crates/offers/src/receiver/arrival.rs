//! From a delivery to the work that the record's state asks for.

use super::{
    Call, Received, launch,
    operation::{Advance, Advanced, Purpose, Surroundings, Then, Waiting},
    report,
};
use crate::{
    Created, DeliveryKind, Fence, OfferError, Record, RecoveryReason, SessionStatus, State, TargetError,
};

/// A record that is known answers a settled offer, whatever the session and the lease are now. Everything else
/// needs the current session and a lease that is not over.
pub(super) fn first_read(around: &Surroundings<'_>, found: Option<Box<Record>>) -> Advanced {
    if let Some(record) = found {
        check_same(around, &record)?;
        if around.rules.answered_before_target.contains(&record.state)
            && let Some(received) = settled(&record)
        {
            return Ok(Advance::Done(received));
        }
    }
    check_target(around)?;
    let record = Box::new(Record::accepted(around.offer.clone(), around.now()?));
    Ok(Advance::Wait(Waiting::Creation, Call::Create(record)))
}

/// That the record exists already is as good as having created it.
pub(super) fn created(_created: Created) -> Advanced {
    Ok(Advance::Wait(Waiting::SecondRead, Call::Read))
}

/// Journals a newer lease before anything else is done.
pub(super) fn second_read(around: &Surroundings<'_>, found: Option<Box<Record>>) -> Advanced {
    let record = found.ok_or(OfferError::RecordLost)?;
    check_same(around, &record)?;
    let merged = record.offer.merged(around.offer);
    if around.rules.merged_into.contains(&record.state) && around.rules.writes_merge(&record.offer, &merged) {
        return around.write(&record, Then::Continue, |next| next.offer = merged);
    }
    continue_by_state(around, *record)
}

/// What the state of the durable record asks for.
pub(super) fn continue_by_state(around: &Surroundings<'_>, record: Record) -> Advanced {
    if let Some(received) = settled(&record) {
        return Ok(Advance::Done(received));
    }
    match record.state {
        State::Accepted => Ok(acknowledge_starting(record)),
        State::StartingAcknowledged => Ok(super::current_lease::find(Box::new(record), Purpose::Launch)),
        State::Started => Ok(report::acknowledge_running(record)),
        State::StartFailed => Ok(report::fail_start(record, true)),
        // This operation did not cross the barrier itself, so nobody knows what followed: never start again.
        _ => launch::require_recovery(around, &record, RecoveryReason::LaunchOutcomeUnknown),
    }
}

/// The answer to an offer that nothing has to be done for.
fn settled(record: &Record) -> Option<Received> {
    match record.state {
        State::CompletionAcknowledged => Some(Received::AlreadyCompleted),
        State::StartFailureAcknowledged => Some(Received::AlreadyFailed),
        State::RunningAcknowledged => {
            Some(Received::AlreadyRunning { executor_handle: record.process().0.clone() })
        }
        State::RecoveryRequired => record.recovery_reason.map(|reason| Received::RecoveryRequired { reason }),
        State::Accepted
        | State::StartingAcknowledged
        | State::Launching
        | State::Started
        | State::StartFailed => None,
    }
}

/// One call with the record's lease: it is not repeated with a newer one.
fn acknowledge_starting(record: Record) -> Advance {
    let fence = Box::new(Fence::new(&record.offer, &record.offer.lease));
    Advance::Wait(Waiting::Starting(Box::new(record)), Call::AcknowledgeStarting(fence))
}

/// A journal is trusted to keep what it was given, but a record that breaks a rule must not be acted on.
fn check_same(around: &Surroundings<'_>, record: &Record) -> Result<(), OfferError> {
    record.check()?;
    if record.offer.same_offer(around.offer) { Ok(()) } else { Err(OfferError::Conflict) }
}

fn check_target(around: &Surroundings<'_>) -> Result<(), OfferError> {
    let (now, offer) = (around.now()?, around.offer);
    let session = around.session.ok_or(TargetError::NoSession)?;
    if !session.is(&offer.worker) {
        return Err(TargetError::OtherSession.into());
    }
    let takes = match session.status {
        SessionStatus::Online => true,
        SessionStatus::Draining => offer.delivery_kind != DeliveryKind::NewClaim,
        SessionStatus::Offline => false,
    };
    if !takes || session.expired(now) {
        return Err(TargetError::Unavailable.into());
    }
    if offer.lease.expired(now) {
        return Err(OfferError::Expired);
    }
    let executor_type = &offer.candidate.executor_type;
    if !around.config.accepts(executor_type) || !session.capabilities.executors.contains(executor_type) {
        return Err(TargetError::ExecutorType.into());
    }
    Ok(())
}
