use crate::{
    JournalError, Loss, LossReason, OfferError, OfferId, Record, RecoveryReason, State, Text, check::is_time,
};
use holdover_machine::{Machine, Timestamp};
use serde::{Deserialize, Serialize};

/// How the stop of a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopStatus {
    /// It was asked to stop.
    StopRequested,
    /// It had ended already.
    AlreadyExited,
    /// The handle names another process now.
    PidMismatch,
    /// The handle names nothing.
    HandleInvalid,
    /// This platform cannot stop it.
    Unsupported,
    /// The stop failed, or nobody knows.
    Failed,
}

impl StopStatus {
    /// Whether the process is certainly not left alone.
    fn verified(self) -> bool {
        matches!(self, Self::StopRequested | Self::AlreadyExited)
    }
}

/// What can happen to the coordinator of one loss.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LeaseLossInput {
    /// The lease was lost.
    Lost(Loss),
    /// The record was read.
    Read(Result<Option<Box<Record>>, JournalError>),
    /// The process was asked to stop.
    Stopped(StopStatus),
    /// The record was replaced.
    Replaced(Result<(), JournalError>),
}

/// Everything it can want done. It never talks to the control plane.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LeaseLossEffect {
    /// Read the record of an offer.
    Read(OfferId),
    /// Stop this process, to reconcile.
    Stop(Text),
    /// Replace the record of revision `expected`.
    Replace {
        /// The next revision.
        record: Box<Record>,
        /// The revision that must be stored.
        expected: u64,
    },
    /// Take the result.
    Done(Result<LeaseLossReport, OfferError>),
}

/// What a loss came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaseLossStatus {
    /// There is no record.
    NotFound,
    /// The record is about another lease.
    AuthorityMismatch,
    /// The completion is settled.
    AlreadyCompleted,
    /// The loss is recorded already.
    AlreadyRecorded,
    /// No process can exist.
    NoLocalExecution,
    /// The process was stopped.
    Stopped,
    /// Nobody knows whether a process is left.
    StopUnverified,
}

/// What a loss came to, and for what.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaseLossReport {
    /// The offer.
    pub offer_id: OfferId,
    /// Its attempt.
    pub attempt_id: Text,
    /// Why the lease was lost.
    pub reason: LossReason,
    /// What it came to.
    pub status: LeaseLossStatus,
    /// How the stop ended, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_status: Option<StopStatus>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Waiting {
    Loss,
    Record(Loss),
    Stop(Loss, Box<Record>),
    Write(Loss, LeaseLossStatus, Option<StopStatus>),
    /// What is stored instead, after a failed write.
    Stored(Loss, LeaseLossStatus, Option<StopStatus>, JournalError),
}

/// Stops what runs under one lost lease and records it: no process may outlive its lease unobserved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LeaseLoss {
    waiting: Waiting,
}

impl LeaseLoss {
    /// A coordinator that waits for its loss.
    pub fn new() -> Self {
        Self { waiting: Waiting::Loss }
    }

    fn advance(
        &mut self,
        now: Timestamp,
        input: LeaseLossInput,
    ) -> Result<Option<LeaseLossEffect>, OfferError> {
        use LeaseLossInput as In;
        Ok(match (std::mem::replace(&mut self.waiting, Waiting::Loss), input) {
            (Waiting::Loss, In::Lost(loss)) => {
                let offer_id = OfferId::of(&loss.lease);
                self.wait(Waiting::Record(loss), LeaseLossEffect::Read(offer_id))
            }
            (Waiting::Record(loss), In::Read(read)) => self.judge(now, loss, read?)?,
            (Waiting::Stop(loss, record), In::Stopped(stop)) => self.mark(now, loss, &record, Some(stop))?,
            (Waiting::Write(loss, status, stop), In::Replaced(Ok(()))) => Some(done(loss, status, stop)),
            (Waiting::Write(loss, status, stop), In::Replaced(Err(error))) => {
                let offer_id = OfferId::of(&loss.lease);
                self.wait(Waiting::Stored(loss, status, stop, error), LeaseLossEffect::Read(offer_id))
            }
            (Waiting::Stored(loss, status, stop, error), In::Read(read)) => match read {
                Ok(Some(record)) if recorded(&record).is_some() => Some(done(loss, status, stop)),
                _ => return Err(error.into()),
            },
            (waiting, _) => {
                self.waiting = waiting;
                None
            }
        })
    }

    fn judge(
        &mut self,
        now: Timestamp,
        loss: Loss,
        found: Option<Box<Record>>,
    ) -> Result<Option<LeaseLossEffect>, OfferError> {
        let Some(record) = found else { return Ok(Some(done(loss, LeaseLossStatus::NotFound, None))) };
        record.check()?;
        let settled = match recorded(&record) {
            _ if !record.offer.lease.same_authority(&loss.lease) => Some(LeaseLossStatus::AuthorityMismatch),
            None if !record.state.may_own_process() => Some(LeaseLossStatus::NoLocalExecution),
            recorded => recorded,
        };
        match (settled, record.executor_handle.clone()) {
            (Some(status), _) => Ok(Some(done(loss, status, None))),
            (None, Some(handle)) => Ok(self.wait(Waiting::Stop(loss, record), LeaseLossEffect::Stop(handle))),
            (None, None) => self.mark(now, loss, &record, None),
        }
    }

    fn mark(
        &mut self,
        now: Timestamp,
        loss: Loss,
        record: &Record,
        stop: Option<StopStatus>,
    ) -> Result<Option<LeaseLossEffect>, OfferError> {
        let (status, reason) = if stop.is_some_and(StopStatus::verified) {
            (LeaseLossStatus::Stopped, RecoveryReason::LeaseLostLocalExecutionStopped)
        } else {
            (LeaseLossStatus::StopUnverified, RecoveryReason::LeaseLostLocalExecutionUnverified)
        };
        if !is_time(now) {
            return Err(OfferError::Clock);
        }
        let next = Box::new(record.next(now, |next| next.require_recovery(reason))?);
        let replace = LeaseLossEffect::Replace { record: next, expected: record.revision };
        Ok(self.wait(Waiting::Write(loss, status, stop), replace))
    }

    fn wait(&mut self, waiting: Waiting, effect: LeaseLossEffect) -> Option<LeaseLossEffect> {
        self.waiting = waiting;
        Some(effect)
    }
}

impl Default for LeaseLoss {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine for LeaseLoss {
    type Input = LeaseLossInput;
    type Effect = LeaseLossEffect;

    fn handle(&mut self, now: Timestamp, input: LeaseLossInput, effects: &mut Vec<LeaseLossEffect>) {
        match self.advance(now, input) {
            Ok(effect) => effects.extend(effect),
            Err(error) => effects.push(LeaseLossEffect::Done(Err(error))),
        }
    }
}

/// What a record says about a loss already.
fn recorded(record: &Record) -> Option<LeaseLossStatus> {
    match (record.state, record.recovery_reason) {
        (State::CompletionAcknowledged, _) => Some(LeaseLossStatus::AlreadyCompleted),
        (
            _,
            Some(
                RecoveryReason::LeaseLostLocalExecutionStopped
                | RecoveryReason::LeaseLostLocalExecutionUnverified,
            ),
        ) => Some(LeaseLossStatus::AlreadyRecorded),
        _ => None,
    }
}

fn done(loss: Loss, status: LeaseLossStatus, stop_status: Option<StopStatus>) -> LeaseLossEffect {
    LeaseLossEffect::Done(Ok(LeaseLossReport {
        offer_id: OfferId::of(&loss.lease),
        attempt_id: loss.lease.attempt_id.clone(),
        reason: loss.reason,
        status,
        stop_status,
    }))
}
