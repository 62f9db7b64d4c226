//! The operations of a worker on the job that it holds.

use super::Table;
use super::guard::{Verdict, ask};
use super::lose::{cancelled, end_lease, retry_or_end};
use crate::rules::{Charge, Leftovers, Renew, Renewals, RetryDelay, Timeout};
use crate::{
    Change, Ending, EventBody, JobError, JobResult, Lose, Operate, Operated, Record, Refusal, Status,
    text::Text,
};
use holdover_machine::{Span, StoreTime};
use std::sync::Arc;

/// What changes and the event that says so; no event for a silent renewal.
type Effect = Option<EventBody>;

impl Table {
    /// Asks the guards and carries the operation out, in one step.
    pub(super) fn operate(&mut self, now: StoreTime, operate: &Operate) -> Operated {
        let Some(&number) = self.ids.get(&operate.job) else {
            return Operated::Refused { reason: Refusal::NotFound, record: None };
        };
        let record = &self.jobs[number as usize].record;
        match ask(record, now, operate) {
            Verdict::Refuse(reason) => return Operated::Refused { reason, record: Some(Arc::clone(record)) },
            Verdict::Replay => return Operated::Applied { record: Arc::clone(record), replayed: true, now },
            Verdict::Pass => {}
        }
        if operate.announces
            && let Some(lease) = &record.lease
        {
            let worker = lease.worker.clone();
            self.workers.seen(&worker, now);
        }
        let mut event = None;
        let record = self.change(number, |record| event = apply(record, now, &operate.change));
        if let Some(body) = event {
            self.emit(number, now, body);
        }
        Operated::Applied { record, replayed: false, now }
    }
}

fn apply(record: &mut Record, now: StoreTime, change: &Change) -> Effect {
    record.updated_at = now;
    match change {
        Change::Start { charge, timeout } => start(record, now, *charge, *timeout),
        Change::Heartbeat { lease, renew, timeout, cancel_grace, renewals } => {
            heartbeat(record, now, *lease, *renew, *timeout, *cancel_grace);
            let (worker, expires_at) = holder(record);
            (*renewals == Renewals::Logged).then_some(EventBody::Heartbeat { worker, expires_at })
        }
        Change::Progress { kind, data } => {
            Some(EventBody::Progress { kind: kind.clone(), data: Arc::clone(data) })
        }
        Change::Complete { result, leftovers } => complete(record, now, result, *leftovers),
        Change::Fail { error, delay, retry_delay, lose } => {
            fail(record, now, error, *delay, *retry_delay, lose)
        }
        Change::Acknowledge => {
            end_lease(record, Ending::Acknowledged);
            cancelled(record, now);
            record.reason.clone().map(|reason| EventBody::Cancelled { reason })
        }
    }
}

fn holder(record: &Record) -> (Text, StoreTime) {
    match &record.lease {
        Some(lease) => (lease.worker.clone(), lease.expires_at),
        None => ("".into(), StoreTime::ZERO),
    }
}

fn start(record: &mut Record, now: StoreTime, charge: Charge, timeout: Timeout) -> Effect {
    record.status = Status::Running;
    record.started_at.get_or_insert(now);
    record.charged += u32::from(charge == Charge::AtStart);
    if timeout == Timeout::Enforced
        && let Some(lease) = &mut record.lease
    {
        let deadline = now + record.spec.timeout;
        lease.deadline = Some(deadline);
        lease.expires_at = lease.expires_at.min(deadline);
    }
    let (worker, _) = holder(record);
    Some(EventBody::Started { worker, attempt: record.attempts })
}

/// The one place where a lease is renewed.
fn heartbeat(
    record: &mut Record,
    now: StoreTime,
    span: Span,
    renew: Renew,
    timeout: Timeout,
    cancel_grace: Span,
) {
    let started = record.is_started();
    let cancelled_at = record.cancel.as_ref().map(|request| request.at);
    let Some(lease) = &mut record.lease else { return };
    lease.heartbeat_at = now;
    // Before the start there is no deadline: a lease that could be renewed then would live for ever.
    if timeout == Timeout::Enforced && !started {
        return;
    }
    let caps = [lease.deadline, cancelled_at.map(|at| at + cancel_grace)];
    let end = caps.into_iter().flatten().fold(now + span, StoreTime::min);
    lease.expires_at = match renew {
        Renew::Overwrite => end,
        Renew::Extend => lease.expires_at.max(end),
    };
}

fn complete(record: &mut Record, now: StoreTime, result: &Arc<JobResult>, leftovers: Leftovers) -> Effect {
    end_lease(record, Ending::Completed(Arc::clone(result)));
    record.result = Some(Arc::clone(result));
    // A cancel that was asked for wins, but what was reported is kept beside it.
    if record.cancel.is_some() {
        cancelled(record, now);
        return record.reason.clone().map(|reason| EventBody::Cancelled { reason });
    }
    record.status = Status::Succeeded;
    record.reason = None;
    record.completed_at = Some(now);
    if leftovers == Leftovers::Cleared {
        record.error = None;
        record.next_attempt_at = None;
    }
    Some(EventBody::Succeeded { result: Arc::clone(result) })
}

fn fail(
    record: &mut Record,
    now: StoreTime,
    error: &Arc<JobError>,
    delay: Span,
    retry_delay: RetryDelay,
    lose: &Lose,
) -> Effect {
    let unstarted = !record.is_started() && lose.charge == Charge::AtStart;
    end_lease(record, Ending::Failed(Arc::clone(error)));
    record.error = Some(Arc::clone(error));
    if record.cancel.is_some() {
        cancelled(record, now);
        return record.reason.clone().map(|reason| EventBody::Cancelled { reason });
    }
    record.unstarted += u32::from(unstarted);
    let left = match unstarted {
        true => record.unstarted < lose.unstarted_max,
        false => record.charged < record.spec.attempts_max,
    };
    let wait = match retry_delay {
        RetryDelay::Worker => delay,
        RetryDelay::Bounded => {
            let back_off = lose.back_off_after(record.charged + record.unstarted);
            back_off.max(delay.min(lose.back_off_max))
        }
    };
    record.reason = Some(error.code.clone());
    retry_or_end(record, now, (error.retryable && left).then_some(now + wait), Status::Failed);
    Some(match record.next_attempt_at {
        Some(next_attempt_at) => EventBody::RetryScheduled { error: Arc::clone(error), next_attempt_at },
        None => EventBody::Failed { error: Arc::clone(error) },
    })
}
