use crate::{JobId, LeaseOperation, LeaseRequest, LeaseToken};
use holdover_machine::{OwnTime, Timestamp};

/// A job in a worker's slot.
#[derive(Debug, Clone)]
pub struct Hand {
    /// The job.
    pub job: JobId,
    /// The attempt that the lease is for.
    pub attempt: u32,
    /// The token.
    pub token: LeaseToken,
    /// How far the work is.
    pub phase: Phase,
    /// Until when the worker believes that it holds the lease.
    pub until: Until,
    /// Whether the worker was told of a cancel.
    pub cancel_requested: bool,
    /// The report that ends the attempt, once it has been sent.
    pub(super) report: Option<LeaseOperation>,
}

/// How far the work on a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It was granted; nothing may be done yet.
    Granted,
    /// Its start was answered.
    Running,
    /// Its end was reported and not answered yet.
    Settling,
}

/// Until when a worker believes that it holds a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// By its monotonic clock.
    Own(OwnTime),
    /// By its wall clock.
    Wall(Timestamp),
}

impl Until {
    fn later(self, other: Self) -> Self {
        match (self, other) {
            (Self::Own(left), Self::Own(right)) => Self::Own(left.max(right)),
            (Self::Wall(left), Self::Wall(right)) => Self::Wall(left.max(right)),
            _ => other,
        }
    }
}

impl Hand {
    /// Whether the worker believes that it still holds the lease.
    pub fn believes(&self, now: Timestamp, own: OwnTime) -> bool {
        match self.until {
            Until::Own(until) => own < until,
            Until::Wall(until) => now < until,
        }
    }

    /// The report that ends the attempt, once it has been sent.
    pub fn report(&self) -> Option<&LeaseOperation> {
        self.report.as_ref()
    }

    /// Whether an answer is about this attempt.
    pub(super) fn is_about(&self, request: &LeaseRequest) -> bool {
        request.job == self.job && request.holder.attempt == Some(self.attempt)
    }

    /// Whether the work is far enough for this. A stalled process has looked before and does not look again.
    pub(super) fn may_send(&self, operation: &LeaseOperation, stalled: bool) -> bool {
        match operation {
            LeaseOperation::Start => self.phase == Phase::Granted,
            LeaseOperation::Heartbeat { .. } => self.phase != Phase::Settling,
            LeaseOperation::Progress { .. } => self.phase == Phase::Running || stalled,
            LeaseOperation::Complete { .. } | LeaseOperation::Fail { .. } => {
                self.report.as_ref().is_none_or(|report| report == operation)
                    && (self.phase != Phase::Granted
                        || stalled
                        || matches!(operation, LeaseOperation::Fail { .. }))
            }
            LeaseOperation::Acknowledge => {
                self.cancel_requested && self.report.as_ref().is_none_or(|report| report == operation)
            }
        }
    }

    pub(super) fn sent(&mut self, operation: &LeaseOperation) {
        if ends_attempt(operation) {
            self.phase = Phase::Settling;
            self.report = Some(operation.clone());
        }
    }

    /// Takes in that an operation was carried out; answers whether the attempt is over with it.
    pub(super) fn carried_out(
        &mut self,
        operation: &LeaseOperation,
        until: Until,
        cancel_requested: bool,
    ) -> bool {
        self.cancel_requested |= cancel_requested;
        match operation {
            LeaseOperation::Start => {
                // The start may shorten the lease (a time-out), so its answer replaces the grant's.
                if self.phase == Phase::Granted {
                    self.phase = Phase::Running;
                    self.until = until;
                }
                false
            }
            LeaseOperation::Heartbeat { .. } => {
                self.until = self.until.later(until);
                false
            }
            LeaseOperation::Progress { .. } => false,
            LeaseOperation::Complete { .. } | LeaseOperation::Fail { .. } | LeaseOperation::Acknowledge => {
                true
            }
        }
    }
}

/// Whether an operation is the last of its attempt.
fn ends_attempt(operation: &LeaseOperation) -> bool {
    matches!(
        operation,
        LeaseOperation::Complete { .. } | LeaseOperation::Fail { .. } | LeaseOperation::Acknowledge
    )
}
