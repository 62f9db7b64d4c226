use super::{Contract, UNKNOWN};
use holdover_jobs::rules::{Charge, Requeue};
use holdover_jobs::*;
use holdover_machine::{Span, StoreTime};
use std::sync::Arc;

impl Contract {
    /// Another token than the listed one means that the job has moved on; a recheck, that it was renewed since.
    pub(super) fn recover(&mut self, now: StoreTime, recover: &Recover) -> Operated {
        let Some(at) = self.find(&recover.job) else { return UNKNOWN };
        let Some(lease) = &self.jobs[at].record.lease else {
            return self.refused(at, Refusal::StatusMismatch);
        };
        let over = now >= lease.expires_at + recover.lose.grace;
        if lease.token != recover.token || (recover.recheck && !over) {
            return self.refused(at, Refusal::LeaseMismatch);
        }
        self.lose_lease(now, at, &recover.lose);
        self.applied(at, now)
    }

    /// A cancel that was asked for comes first. Else the job has another attempt, or this was the last: where starts
    /// are charged, an attempt that never started counts against a bound of its own.
    pub(super) fn lose_lease(&mut self, now: StoreTime, at: usize, lose: &Lose) {
        let record = &mut self.jobs[at].record;
        let never_started = record.status == Status::Leased && lose.charge == Charge::AtStart;
        let Some(lease) = end_lease(record, Ending::Lost) else { return };
        if let Some(request) = record.cancel.clone() {
            end_as_cancelled(record, now);
            return self.log(at, now, EventBody::Cancelled { reason: request.reason });
        }
        let again = has_another_attempt(record, never_started, lose);
        let wait = match lose.requeue {
            Requeue::AtOnce => Span::ZERO,
            Requeue::BackOff => back_off(lose, record.charged + record.unstarted),
        };
        let ran_out = lease.deadline.is_some_and(|deadline| now >= deadline);
        let (reason, code, message) = match (never_started, ran_out) {
            (true, _) => (
                "executor_never_started",
                "EXECUTOR_NEVER_STARTED",
                "Worker lease expired before the attempt was started",
            ),
            (false, true) => {
                ("executor_attempt_timed_out", "EXECUTOR_ATTEMPT_TIMED_OUT", "Attempt ran into its time-out")
            }
            (false, false) => {
                ("executor_lease_expired", "EXECUTOR_LEASE_EXPIRED", "Worker lease expired before completion")
            }
        };
        let ended = if never_started { Status::Failed } else { Status::TimedOut };
        go_on_or_end(record, now, again.then(|| now + wait), ended);
        record.reason = Some(reason.into());
        record.error =
            Some(Arc::new(JobError { code: code.into(), message: message.into(), retryable: again }));
        let (worker, attempt) = (lease.worker, lease.attempt);
        let body = match (again, never_started) {
            (true, _) => EventBody::LeaseRecovered { worker, attempt },
            (false, true) => EventBody::NeverStarted { worker, attempt },
            (false, false) => EventBody::TimedOut { worker, attempt },
        };
        self.log(at, now, body);
    }
}

/// The lease goes and leaves a line among the past attempts.
pub(crate) fn end_lease(record: &mut Record, ending: Ending) -> Option<Lease> {
    let lease = record.lease.take()?;
    record.past.push(PastAttempt {
        attempt: lease.attempt,
        token: lease.token.clone(),
        incarnation: lease.incarnation,
        ending,
    });
    Some(lease)
}

pub(crate) fn end_as_cancelled(record: &mut Record, now: StoreTime) {
    record.status = Status::Cancelled;
    record.reason = record.cancel.as_ref().map(|request| request.reason.clone());
    record.updated_at = now;
    record.completed_at = Some(now);
}

/// Counts an attempt that never started, and says whether there is another one.
pub(crate) fn has_another_attempt(record: &mut Record, never_started: bool, lose: &Lose) -> bool {
    if !never_started {
        return record.charged < record.spec.attempts_max;
    }
    record.unstarted += 1;
    record.unstarted < lose.unstarted_max
}

/// Waits for its next attempt until then, or ends now.
pub(crate) fn go_on_or_end(record: &mut Record, now: StoreTime, due: Option<StoreTime>, ended: Status) {
    record.updated_at = now;
    record.next_attempt_at = due;
    match due {
        Some(due) => {
            record.status = Status::Retryable;
            record.ready_at = due;
            record.completed_at = None;
        }
        None => {
            record.status = ended;
            record.completed_at = Some(now);
        }
    }
}

/// The first back-off, doubled with every loss but the first, within the cap; at least a millisecond.
pub(crate) fn back_off(lose: &Lose, losses: u32) -> Span {
    let mut wait = lose.back_off;
    for _ in 1..losses {
        if wait >= lose.back_off_max {
            break;
        }
        wait = wait + wait;
    }
    wait.min(lose.back_off_max).max(Span::from_ms(1))
}
