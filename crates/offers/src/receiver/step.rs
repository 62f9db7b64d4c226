use super::{
    Activation, ActivationStatus, Reply, arrival, current_lease, launch,
    operation::{Advance, Advanced, Purpose, Surroundings, Then, Waiting},
    report,
};
use crate::{FenceReason, Lease, OfferError, Record};

/// Brings an operation from one call to the next.
///
/// A failing write ends the delivery with its error and nothing is undone, also where a process already runs.
pub(super) fn advance(around: &Surroundings<'_>, waiting: Waiting, reply: Reply) -> Advanced {
    match (waiting, reply) {
        (Waiting::FirstRead, Reply::Read(read)) => arrival::first_read(around, read?),
        (Waiting::Creation, Reply::Created(created)) => arrival::created(created?),
        (Waiting::SecondRead, Reply::Read(read)) => arrival::second_read(around, read?),
        (Waiting::Write(record, then), Reply::Replaced(replaced)) => {
            replaced?;
            written(around, *record, then)
        }
        (Waiting::Starting(record), Reply::Activation(reply)) => {
            let (status, lease) = acknowledged(reply)?;
            launch::starting_acknowledged(around, &record, status, lease)
        }
        (Waiting::TrackedLease(record, purpose), Reply::Lease(tracked)) => {
            current_lease::found(record, tracked, purpose)
        }
        (Waiting::Tracking(record, lease, purpose), Reply::Tracked(tracked)) => {
            current_lease::tracked(around, record, *lease, purpose, tracked)
        }
        (Waiting::Preparation(record), Reply::Prepared(prepared)) => {
            launch::prepared(around, &record, prepared)
        }
        (Waiting::Start(record, log), Reply::Start(start)) => launch::started(around, record, log, start),
        (Waiting::Stop(record), Reply::Stopped) => launch::stopped(around, &record),
        (Waiting::Running(record, attempt), Reply::Activation(reply)) => match reply {
            reply if asks_for_newer_lease(around, &reply, attempt) => {
                Ok(current_lease::find(record, Purpose::Running(attempt + 1)))
            }
            reply => {
                let (status, lease) = acknowledged(reply)?;
                report::running_acknowledged(around, &record, status, lease)
            }
        },
        (Waiting::Failure(record, report), Reply::Activation(reply)) => match reply {
            reply if asks_for_newer_lease(around, &reply, report.attempt) => {
                Ok(current_lease::find(record, Purpose::Failure(report.next())))
            }
            reply => report::failure_reported(around, record, report, acknowledged(reply)?.0),
        },
        (Waiting::Untracking(record, report), Reply::Untracked) => report::settle(around, &record, report),
        (waiting, _) => Ok(Advance::Unexpected(waiting)),
    }
}

fn written(around: &Surroundings<'_>, record: Record, then: Then) -> Advanced {
    match then {
        Then::Continue => arrival::continue_by_state(around, record),
        Then::Prepare => Ok(launch::prepare(record)),
        Then::Start(prepared) => Ok(launch::start(record, *prepared)),
        Then::ReportFailure => Ok(report::fail_start(record, false)),
        Then::Finish(received) => Ok(Advance::Done(received)),
    }
}

fn acknowledged(reply: Activation) -> Result<(ActivationStatus, Lease), OfferError> {
    match reply {
        Activation::Acknowledged { status, lease } => Ok((status, *lease)),
        Activation::Rejected(reason) => Err(OfferError::FenceRejected(reason)),
        Activation::Failed(detail) | Activation::Unknown(detail) => Err(OfferError::Port(detail)),
    }
}

/// A refusal that a newer lease may turn, while tries are left.
fn asks_for_newer_lease(around: &Surroundings<'_>, reply: &Activation, attempt: u32) -> bool {
    *reply == Activation::Rejected(FenceReason::VersionMismatch)
        && attempt < around.config.activation_retries()
}
