//! What becomes of a job whose attempt is lost, and the recovery that finds it out.

use super::Table;
use crate::rules::{Charge, Requeue};
use crate::{
    Ending, EventBody, JobError, Lease, Lose, Operated, PastAttempt, Record, Recover, Refusal, Status,
};
use holdover_machine::StoreTime;
use std::sync::Arc;

impl Table {
    /// Takes one listed lease away.
    pub(super) fn recover(&mut self, now: StoreTime, recover: &Recover) -> Operated {
        let Some(&number) = self.ids.get(&recover.job) else {
            return Operated::Refused { reason: Refusal::NotFound, record: None };
        };
        let record = &self.jobs[number as usize].record;
        let refused = |reason| Operated::Refused { reason, record: Some(Arc::clone(record)) };
        let Some(lease) = &record.lease else { return refused(Refusal::StatusMismatch) };
        if lease.token != recover.token
            || (recover.recheck && !lease.open_for_others(now, recover.lose.grace))
        {
            return refused(Refusal::LeaseMismatch);
        }
        let record = self.lose_lease(now, number, &recover.lose);
        Operated::Applied { record, replayed: false, now }
    }

    /// Ends a held job's attempt as lost and decides what comes next.
    pub(super) fn lose_lease(&mut self, now: StoreTime, number: u32, lose: &Lose) -> Arc<Record> {
        let mut lost: Option<Lease> = None;
        let record = self.change(number, |record| {
            let unstarted = !record.is_started() && lose.charge == Charge::AtStart;
            let Some(lease) = end_lease(record, Ending::Lost) else { return };
            if record.cancel.is_some() {
                cancelled(record, now);
            } else {
                next_after_loss(record, now, unstarted, lose);
                record.error =
                    Some(Arc::new(loss(&lease, now, unstarted, record.status == Status::Retryable)));
                record.reason = Some(loss_reason(&lease, now, unstarted).into());
            }
            lost = Some(lease);
        });
        if let Some(Lease { worker, attempt, .. }) = lost {
            let body = match (record.status, &record.cancel) {
                (Status::Cancelled, Some(request)) => EventBody::Cancelled { reason: request.reason.clone() },
                (Status::Retryable, _) => EventBody::LeaseRecovered { worker, attempt },
                (Status::Failed, _) => EventBody::NeverStarted { worker, attempt },
                _ => EventBody::TimedOut { worker, attempt },
            };
            self.emit(number, now, body);
        }
        record
    }
}

/// Ends the lease of a record and leaves its line among the past attempts.
pub(super) fn end_lease(record: &mut Record, ending: Ending) -> Option<Lease> {
    let lease = record.lease.take()?;
    let (attempt, token, incarnation) = (lease.attempt, lease.token.clone(), lease.incarnation);
    record.past.push(PastAttempt { attempt, token, incarnation, ending });
    Some(lease)
}

/// Ends a record as cancelled, for the reason of its request.
pub(super) fn cancelled(record: &mut Record, now: StoreTime) {
    record.status = Status::Cancelled;
    record.reason = record.cancel.as_ref().map(|request| request.reason.clone());
    record.updated_at = now;
    record.completed_at = Some(now);
}

/// Ready again, or ended: a started attempt is bounded by the most attempts, an unstarted one by its own bound.
fn next_after_loss(record: &mut Record, now: StoreTime, unstarted: bool, lose: &Lose) {
    record.unstarted += u32::from(unstarted);
    let (again, ended) = match unstarted {
        true => (record.unstarted < lose.unstarted_max, Status::Failed),
        false => (record.charged < record.spec.attempts_max, Status::TimedOut),
    };
    let due = match lose.requeue {
        Requeue::AtOnce => now,
        Requeue::BackOff => now + lose.back_off_after(record.charged + record.unstarted),
    };
    retry_or_end(record, now, again.then_some(due), ended);
}

/// Moves a record whose attempt has ended to its retry, or to its end.
pub(super) fn retry_or_end(record: &mut Record, now: StoreTime, due: Option<StoreTime>, ended: Status) {
    record.status = if due.is_some() { Status::Retryable } else { ended };
    record.next_attempt_at = due;
    record.ready_at = due.unwrap_or(record.ready_at);
    record.completed_at = if due.is_some() { None } else { Some(now) };
    record.updated_at = now;
}

fn loss(lease: &Lease, now: StoreTime, unstarted: bool, retryable: bool) -> JobError {
    let (code, message) = match (unstarted, lease.timed_out(now)) {
        (true, _) => ("EXECUTOR_NEVER_STARTED", "Worker lease expired before the attempt was started"),
        (false, true) => ("EXECUTOR_ATTEMPT_TIMED_OUT", "Attempt ran into its time-out"),
        (false, false) => ("EXECUTOR_LEASE_EXPIRED", "Worker lease expired before completion"),
    };
    JobError::new(code, message, retryable)
}

fn loss_reason(lease: &Lease, now: StoreTime, unstarted: bool) -> &'static str {
    match (unstarted, lease.timed_out(now)) {
        (true, _) => "executor_never_started",
        (false, true) => "executor_attempt_timed_out",
        (false, false) => "executor_lease_expired",
    }
}
