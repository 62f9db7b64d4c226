//! Telling the control plane how a start ended, and settling what it then knows.

use super::{
    ActivationStatus, Call, Received, current_lease, launch,
    operation::{Advance, Advanced, Purpose, Report, Surroundings, Then, Waiting},
};
use crate::{Fence, Lease, Record, RecoveryReason, RunningCommand, State};

impl Report {
    /// The next try.
    pub(super) fn next(self) -> Self {
        Self { attempt: self.attempt + 1, ..self }
    }
}

pub(super) fn acknowledge_running(record: Record) -> Advance {
    current_lease::find(Box::new(record), Purpose::Running(1))
}

pub(super) fn send_running(record: Box<Record>, lease: &Lease, attempt: u32) -> Advance {
    let command = Box::new(RunningCommand::new(&record, lease));
    Advance::Wait(Waiting::Running(record, attempt), Call::AcknowledgeRunning(command))
}

pub(super) fn running_acknowledged(
    around: &Surroundings<'_>,
    record: &Record,
    status: ActivationStatus,
    lease: Lease,
) -> Advanced {
    if status == ActivationStatus::AlreadyTerminal {
        return launch::require_recovery(around, record, RecoveryReason::ControlPlaneTerminal);
    }
    let executor_handle = record.process().0.clone();
    let received = match status {
        ActivationStatus::AlreadyRunning => Received::AlreadyRunning { executor_handle },
        _ => Received::Running { executor_handle },
    };
    around.write(record, Then::Finish(received), |next| {
        next.state = State::RunningAcknowledged;
        next.offer.lease = around.rules.reply_lease(&record.offer.lease, lease);
    })
}

pub(super) fn fail_start(record: Record, replay: bool) -> Advance {
    current_lease::find(Box::new(record), Purpose::Failure(Report { attempt: 1, replay }))
}

pub(super) fn send_failure(record: Box<Record>, lease: &Lease, report: Report) -> Advance {
    let fence = Box::new(Fence::new(&record.offer, lease));
    Advance::Wait(Waiting::Failure(record, report), Call::FailStart(fence))
}

/// The control plane may know a running process after all; otherwise the lease has done its duty. It is given
/// up before the settled state is durable.
pub(super) fn failure_reported(
    around: &Surroundings<'_>,
    record: Box<Record>,
    report: Report,
    status: ActivationStatus,
) -> Advanced {
    if status == ActivationStatus::AlreadyRunning {
        return launch::require_recovery(around, &record, RecoveryReason::ControlPlaneAlreadyRunning);
    }
    let call = Call::Untrack(record.offer.candidate.attempt_id.clone());
    Ok(Advance::Wait(Waiting::Untracking(record, report), call))
}

pub(super) fn settle(around: &Surroundings<'_>, record: &Record, report: Report) -> Advanced {
    let received = if report.replay { Received::AlreadyFailed } else { Received::StartFailed };
    around.write(record, Then::Finish(received), |next| next.state = State::StartFailureAcknowledged)
}
