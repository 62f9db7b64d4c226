//! From *starting* to a process whose identity is durable.

use super::{
    ActivationStatus, Call, Received, Start,
    operation::{Advance, Advanced, Surroundings, Then, Waiting},
};
use crate::{Handle, Lease, Prepared, Record, RecoveryReason, State, Text};

/// The control plane must not know a running or ended attempt that this worker is about to start.
pub(super) fn starting_acknowledged(
    around: &Surroundings<'_>,
    record: &Record,
    status: ActivationStatus,
    lease: Lease,
) -> Advanced {
    match status {
        ActivationStatus::AlreadyRunning => {
            require_recovery(around, record, RecoveryReason::ControlPlaneAlreadyRunning)
        }
        ActivationStatus::AlreadyTerminal => {
            require_recovery(around, record, RecoveryReason::ControlPlaneTerminal)
        }
        ActivationStatus::Applied | ActivationStatus::AlreadyStarting => {
            around.write(record, Then::Continue, |next| {
                next.state = State::StartingAcknowledged;
                next.offer.lease = around.rules.reply_lease(&record.offer.lease, lease);
            })
        }
    }
}

pub(super) fn prepare(record: Record) -> Advance {
    let offer = Box::new(record.offer.clone());
    Advance::Wait(Waiting::Preparation(Box::new(record)), Call::Prepare(offer))
}

/// Crosses the start barrier: `launching` and the digest of the completion token are durable before the
/// executor is called. The identity of the process is not: the executor chooses it later.
pub(super) fn prepared(
    around: &Surroundings<'_>,
    record: &Record,
    prepared: Option<Box<Prepared>>,
) -> Advanced {
    let checked = prepared.and_then(|prepared| {
        let metadata = prepared.context.completion.as_ref().map(|capability| capability.metadata());
        metadata.transpose().ok().map(|metadata| (prepared, metadata))
    });
    let Some((prepared, metadata)) = checked else { return start_failed(around, record) };
    around.write(record, Then::Start(prepared), |next| {
        next.state = State::Launching;
        next.set_receipt_metadata(metadata);
    })
}

pub(super) fn start(record: Record, prepared: Prepared) -> Advance {
    let spec = record.offer.execution_spec.clone();
    let call = Call::Start { spec, context: Box::new(prepared.context) };
    Advance::Wait(Waiting::Start(Box::new(record), prepared.log_artifact_id), call)
}

/// Every failure counts as "nothing was started", also one after which a process may run.
pub(super) fn started(
    around: &Surroundings<'_>,
    record: Box<Record>,
    log_artifact_id: Option<Text>,
    start: Start,
) -> Advanced {
    match start {
        Start::Started(handle) => spawned(around, record, log_artifact_id, handle),
        Start::Failed | Start::Unknown => start_failed(around, &record),
    }
}

/// A process that executes something else is stopped. One whose metadata no record may hold is not: the
/// delivery just ends.
fn spawned(
    around: &Surroundings<'_>,
    record: Box<Record>,
    log_artifact_id: Option<Text>,
    handle: Box<Handle>,
) -> Advanced {
    let candidate = &record.offer.candidate;
    let asked_for = handle.run_id == candidate.run_id
        && handle.attempt_id == candidate.attempt_id
        && handle.executor_type == *around.config.executor_type();
    if !asked_for {
        let call = Call::Stop { handle, requested_at: around.now()? };
        return Ok(Advance::Wait(Waiting::Stop(record), call));
    }
    around.write(&record, Then::Continue, |next| {
        next.state = State::Started;
        next.set_process(&handle, log_artifact_id);
    })
}

/// However the stop ended, the launch did not lead to the process that was asked for.
pub(super) fn stopped(around: &Surroundings<'_>, record: &Record) -> Advanced {
    require_recovery(around, record, RecoveryReason::LaunchOutcomeUnknown)
}

pub(super) fn require_recovery(
    around: &Surroundings<'_>,
    record: &Record,
    reason: RecoveryReason,
) -> Advanced {
    let then = Then::Finish(Received::RecoveryRequired { reason });
    around.write(record, then, |next| next.require_recovery(reason))
}

fn start_failed(around: &Surroundings<'_>, record: &Record) -> Advanced {
    around.write(record, Then::ReportFailure, |next| next.state = State::StartFailed)
}
