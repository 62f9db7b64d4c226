//! The retry rule: a command is sent with the newest lease that this worker knows, which is tracked first.

use super::{
    Call, launch,
    operation::{Advance, Advanced, Purpose, Surroundings, Then, Waiting},
    report,
};
use crate::{Lease, OfferError, Record, Refusal};

pub(super) fn find(record: Box<Record>, purpose: Purpose) -> Advance {
    let attempt_id = record.offer.candidate.attempt_id.clone();
    Advance::Wait(Waiting::TrackedLease(record, purpose), Call::FindLease(attempt_id))
}

pub(super) fn found(record: Box<Record>, tracked: Option<Box<Lease>>, purpose: Purpose) -> Advanced {
    let newest = newest(&record.offer.lease, tracked)?;
    let call = Call::Track(newest.clone());
    Ok(Advance::Wait(Waiting::Tracking(record, newest, purpose), call))
}

/// A lease that cannot be tracked ends the delivery where it is: whatever runs, runs on unreported.
pub(super) fn tracked(
    around: &Surroundings<'_>,
    record: Box<Record>,
    lease: Lease,
    purpose: Purpose,
    tracked: Result<(), Refusal>,
) -> Advanced {
    tracked.map_err(OfferError::Tracker)?;
    match purpose {
        Purpose::Launch if lease.version == record.offer.lease.version => Ok(launch::prepare(*record)),
        Purpose::Launch => around.write(&record, Then::Prepare, |next| next.offer.lease = lease),
        Purpose::Running(attempt) => Ok(report::send_running(record, &lease, attempt)),
        Purpose::Failure(report) => Ok(report::send_failure(record, &lease, report)),
    }
}

fn newest(journaled: &Lease, tracked: Option<Box<Lease>>) -> Result<Box<Lease>, OfferError> {
    match tracked {
        Some(tracked) if !tracked.same_authority(journaled) => Err(OfferError::Conflict),
        Some(tracked) if tracked.version > journaled.version => Ok(tracked),
        _ => Ok(Box::new(journaled.clone())),
    }
}
