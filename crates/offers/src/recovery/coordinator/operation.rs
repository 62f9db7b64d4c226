use super::{
    Cleanup, Completion, CompletionCommand, ReceiptRemoval, Recovery, RecoveryCall, RecoveryReply,
    RecoveryStatus,
};
use crate::{
    Activation, ActivationStatus, Evidence, Fence, JournalError, OfferError, Record, RecoveryReason, Rules,
    RunningCommand, Session, State,
    check::is_time,
    recovery::{
        Authority, Finding, ObservedCompletion, Reconciler, ReconcilerEffect, ReconcilerInput, Submission,
    },
};
use holdover_machine::{Machine, Span, Timestamp};

/// The recovery of one offer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Operation {
    reconciler: Reconciler,
    waiting: Waiting,
}

/// What the recovery waits for. A record in here is the durable one, as the recovery knows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Waiting {
    Read,
    Evidence(Box<Record>),
    Completion(Box<Record>, Box<Evidence>),
    CompletionWrite(Box<Record>, Box<Evidence>),
    /// Whether somebody else settled the completion, after a failed write.
    SettledByOthers(JournalError, Box<Evidence>),
    Running(Box<Record>, Box<Evidence>),
    RunningWrite(RecoveryStatus, Box<Evidence>),
    Removal(RecoveryStatus, Option<Box<Evidence>>),
}

pub(super) enum Advance {
    Wait(RecoveryCall),
    Done(Box<Recovery>),
    Unexpected,
}

type Advanced = Result<Advance, OfferError>;

pub(super) struct Surroundings<'a> {
    pub(super) rules: &'a Rules,
    pub(super) session: Option<&'a Session>,
    pub(super) clock: Timestamp,
}

impl Surroundings<'_> {
    fn now(&self) -> Result<Timestamp, OfferError> {
        if is_time(self.clock) { Ok(self.clock) } else { Err(OfferError::Clock) }
    }
}

impl Operation {
    pub(super) fn new(grace: Span) -> Self {
        Self { reconciler: Reconciler::new(grace), waiting: Waiting::Read }
    }

    pub(super) fn advance(&mut self, around: &Surroundings<'_>, reply: RecoveryReply) -> Advanced {
        match (std::mem::replace(&mut self.waiting, Waiting::Read), reply) {
            (Waiting::Read, RecoveryReply::Read(read)) => self.read(around, read?),
            (Waiting::Evidence(record), RecoveryReply::Receipt(reading)) => {
                self.reconcile(around, record, ReconcilerInput::Receipt(reading))
            }
            (Waiting::Evidence(record), RecoveryReply::Inspected(inspection)) => {
                self.reconcile(around, record, ReconcilerInput::Inspected(inspection))
            }
            (Waiting::Evidence(record), RecoveryReply::GraceOver) => {
                self.reconcile(around, record, ReconcilerInput::GraceOver)
            }
            (Waiting::Completion(record, evidence), RecoveryReply::Completed(completion)) => {
                self.completed(around, record, evidence, completion)
            }
            (Waiting::CompletionWrite(record, evidence), RecoveryReply::Replaced(Ok(()))) => {
                Ok(self.remove_receipt(&record, RecoveryStatus::CompletionAcknowledged, Some(evidence)))
            }
            (Waiting::CompletionWrite(_, evidence), RecoveryReply::Replaced(Err(error))) => {
                Ok(self.wait(Waiting::SettledByOthers(error, evidence), RecoveryCall::Read))
            }
            (Waiting::SettledByOthers(error, evidence), RecoveryReply::Read(read)) => {
                self.settled_by_others(error, evidence, read)
            }
            (Waiting::Running(record, evidence), RecoveryReply::Activation(reply)) => {
                self.running(around, &record, evidence, reply)
            }
            (Waiting::RunningWrite(status, evidence), RecoveryReply::Replaced(replaced)) => {
                replaced?;
                Ok(done(status, Some(evidence), None))
            }
            (Waiting::Removal(status, evidence), RecoveryReply::ReceiptRemoved(removal)) => {
                Ok(done(status, evidence, Some(cleanup(removal))))
            }
            (waiting, _) => {
                self.waiting = waiting;
                Ok(Advance::Unexpected)
            }
        }
    }

    fn wait(&mut self, waiting: Waiting, call: RecoveryCall) -> Advance {
        self.waiting = waiting;
        Advance::Wait(call)
    }

    fn read(&mut self, around: &Surroundings<'_>, found: Option<Box<Record>>) -> Advanced {
        let Some(record) = found else { return Ok(done(RecoveryStatus::NotFound, None, None)) };
        record.check()?;
        if record.state == State::CompletionAcknowledged {
            return Ok(self.remove_receipt(&record, RecoveryStatus::AlreadyCompleted, None));
        }
        let Some(session) = around.session.cloned().map(Box::new) else {
            return Ok(done(RecoveryStatus::SessionUnavailable, None, None));
        };
        around.now()?;
        let search = ReconcilerInput::Reconcile { record: record.clone(), session };
        self.reconcile(around, record, search)
    }

    fn reconcile(
        &mut self,
        around: &Surroundings<'_>,
        record: Box<Record>,
        input: ReconcilerInput,
    ) -> Advanced {
        let mut effects = Vec::new();
        self.reconciler.handle(around.clock, input, &mut effects);
        let call = match effects.pop() {
            None => {
                self.waiting = Waiting::Evidence(record);
                return Ok(Advance::Unexpected);
            }
            Some(ReconcilerEffect::ReadReceipt(attempt_id)) => RecoveryCall::ReadReceipt(attempt_id),
            Some(ReconcilerEffect::Inspect(handle)) => RecoveryCall::Inspect(handle),
            Some(ReconcilerEffect::Wait(grace)) => RecoveryCall::Wait(grace),
            Some(ReconcilerEffect::Found(evidence)) => return Ok(self.act(record, evidence)),
        };
        Ok(self.wait(Waiting::Evidence(record), call))
    }

    /// Acts where the evidence leaves no doubt and the authority is current.
    fn act(&mut self, record: Box<Record>, evidence: Box<Evidence>) -> Advance {
        if let (Some(Submission::Ready), Some(completion)) =
            (evidence.completion_submission, evidence.completion)
        {
            let command = Box::new(complete(&record, completion));
            return self.wait(Waiting::Completion(record, evidence), RecoveryCall::Complete(command));
        }
        let runs = evidence.finding == Finding::ExecutionRunning && evidence.authority == Authority::Current;
        match record.state {
            State::Started if runs => {
                let command = Box::new(RunningCommand::new(&record, &record.offer.lease));
                self.wait(Waiting::Running(record, evidence), RecoveryCall::AcknowledgeRunning(command))
            }
            State::RunningAcknowledged if runs => done(RecoveryStatus::AlreadyRunning, Some(evidence), None),
            _ => done(RecoveryStatus::Deferred, Some(evidence), None),
        }
    }

    fn completed(
        &mut self,
        around: &Surroundings<'_>,
        record: Box<Record>,
        evidence: Box<Evidence>,
        completion: Completion,
    ) -> Advanced {
        match completion {
            Completion::Acknowledged => {}
            Completion::Rejected(reason) => return Err(OfferError::FenceRejected(reason)),
            Completion::Failed(detail) | Completion::Unknown(detail) => return Err(OfferError::Port(detail)),
        }
        let next = Box::new(record.next(around.now()?, Record::acknowledge_completion)?);
        let call = RecoveryCall::Replace { record: next.clone(), expected: record.revision };
        Ok(self.wait(Waiting::CompletionWrite(next, evidence), call))
    }

    fn settled_by_others(
        &mut self,
        error: JournalError,
        evidence: Box<Evidence>,
        read: Result<Option<Box<Record>>, JournalError>,
    ) -> Advanced {
        match read {
            Ok(Some(record)) if record.state == State::CompletionAcknowledged => {
                Ok(self.remove_receipt(&record, RecoveryStatus::CompletionAcknowledged, Some(evidence)))
            }
            _ => Err(error.into()),
        }
    }

    fn running(
        &mut self,
        around: &Surroundings<'_>,
        record: &Record,
        evidence: Box<Evidence>,
        reply: Activation,
    ) -> Advanced {
        let (status, lease) = match reply {
            Activation::Acknowledged { status, lease } => (status, *lease),
            Activation::Rejected(reason) => return Err(OfferError::FenceRejected(reason)),
            Activation::Failed(detail) | Activation::Unknown(detail) => return Err(OfferError::Port(detail)),
        };
        let terminal = status == ActivationStatus::AlreadyTerminal;
        let next = record.next(around.now()?, |next| match terminal {
            true => next.require_recovery(RecoveryReason::ControlPlaneTerminal),
            false => {
                next.state = State::RunningAcknowledged;
                next.offer.lease = around.rules.reply_lease(&record.offer.lease, lease);
            }
        })?;
        let came_to = match status {
            ActivationStatus::AlreadyTerminal => RecoveryStatus::ControlPlaneTerminal,
            ActivationStatus::AlreadyRunning => RecoveryStatus::AlreadyRunning,
            ActivationStatus::Applied | ActivationStatus::AlreadyStarting => {
                RecoveryStatus::RunningAcknowledged
            }
        };
        let call = RecoveryCall::Replace { record: Box::new(next), expected: record.revision };
        Ok(self.wait(Waiting::RunningWrite(came_to, evidence), call))
    }

    fn remove_receipt(
        &mut self,
        record: &Record,
        status: RecoveryStatus,
        evidence: Option<Box<Evidence>>,
    ) -> Advance {
        let attempt_id = record.offer.candidate.attempt_id.clone();
        self.wait(Waiting::Removal(status, evidence), RecoveryCall::RemoveReceipt(attempt_id))
    }
}

/// The command carries the journaled lease, and a refusal of its version is not repeated with a newer one.
fn complete(record: &Record, completion: ObservedCompletion) -> CompletionCommand {
    CompletionCommand {
        fence: Fence::new(&record.offer, &record.offer.lease),
        callback_sequence: completion.callback_sequence,
        result: completion.result,
    }
}

fn cleanup(removal: ReceiptRemoval) -> Cleanup {
    match removal {
        ReceiptRemoval::Removed => Cleanup::Removed,
        ReceiptRemoval::AlreadyAbsent => Cleanup::AlreadyAbsent,
        ReceiptRemoval::Failed => Cleanup::Pending,
    }
}

fn done(
    status: RecoveryStatus,
    evidence: Option<Box<Evidence>>,
    receipt_cleanup: Option<Cleanup>,
) -> Advance {
    Advance::Done(Box::new(Recovery { status, evidence, receipt_cleanup }))
}
