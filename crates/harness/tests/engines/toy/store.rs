use super::action::Operation;
use super::scenario::Bug;

/// How long a lease lasts.
pub(crate) const LEASE_MS: i64 = 100;

/// The one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Status {
    Ready,
    Held,
    Done,
}

/// The store: one job, leased by token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Store {
    pub status: Status,
    pub token: u32,
    /// Until when the lease runs; `None` where nobody has one.
    pub until: Option<i64>,
}

/// What the store answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Granted(u32),
    Ok,
    Refused(&'static str),
}

impl Store {
    pub(crate) fn new() -> Self {
        Self { status: Status::Ready, token: 0, until: None }
    }

    pub(crate) fn execute(&mut self, now: i64, operation: Operation, token: u32, bug: Bug) -> Answer {
        match operation {
            Operation::Claim => self.claim(now),
            Operation::Heartbeat if self.status != Status::Held => Answer::Refused("not_held"),
            Operation::Heartbeat if token != self.token && bug != Bug::HeartbeatIgnoresToken => {
                Answer::Refused("stale_token")
            }
            Operation::Heartbeat => {
                self.until = Some(now + LEASE_MS);
                Answer::Ok
            }
            Operation::Complete if token != self.token => Answer::Refused("stale_token"),
            Operation::Complete if self.status == Status::Held => self.complete(),
            Operation::Complete if self.status == Status::Ready && bug == Bug::CompleteAfterRecovery => {
                self.complete()
            }
            Operation::Complete => Answer::Refused("not_held"),
        }
    }

    fn claim(&mut self, now: i64) -> Answer {
        if self.status != Status::Ready {
            return Answer::Refused("nothing_ready");
        }
        self.status = Status::Held;
        self.token += 1;
        self.until = Some(now + LEASE_MS);
        Answer::Granted(self.token)
    }

    fn complete(&mut self) -> Answer {
        self.status = Status::Done;
        self.until = None;
        Answer::Ok
    }

    /// Whether a lease was taken back.
    pub(crate) fn sweep(&mut self, now: i64, bug: Bug) -> bool {
        let expired = self.status == Status::Held && self.until.is_some_and(|until| until <= now);
        if expired && bug != Bug::SweepDoesNothing {
            self.status = Status::Ready;
            self.until = self.until.filter(|_| bug == Bug::RecoverKeepsLease);
            return true;
        }
        false
    }
}
