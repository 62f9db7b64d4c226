use super::guard::{Verdict, ask};
use super::lose::{back_off, end_as_cancelled, end_lease, go_on_or_end, has_another_attempt};
use super::{Contract, UNKNOWN};
use holdover_jobs::rules::{Charge, Leftovers, Renew, Renewals, RetryDelay, Timeout};
use holdover_jobs::*;
use holdover_machine::{Span, StoreTime};
use std::sync::Arc;

impl Contract {
    /// The guards, then the change and its event. Only what is carried out shows that the worker is there.
    pub(super) fn operate(&mut self, now: StoreTime, operate: &Operate) -> Operated {
        let Some(at) = self.find(&operate.job) else { return UNKNOWN };
        match ask(&self.jobs[at].record, now, operate) {
            Verdict::Refused(reason) => return self.refused(at, reason),
            Verdict::Repeated => return self.applied_before(at, now),
            Verdict::Pass => {}
        }
        let record = &mut self.jobs[at].record;
        let worker = record.lease.as_ref().map(|lease| lease.worker.clone());
        record.updated_at = now;
        let event = match &operate.change {
            Change::Start { charge, timeout } => start(record, now, *charge, *timeout),
            Change::Heartbeat { lease, renew, timeout, cancel_grace, renewals } => {
                let expires_at = renew_lease(record, now, *lease, *renew, *timeout, *cancel_grace);
                let worker = worker.clone().unwrap_or_default();
                (*renewals == Renewals::Logged).then_some(EventBody::Heartbeat { worker, expires_at })
            }
            Change::Progress { kind, data } => {
                Some(EventBody::Progress { kind: kind.clone(), data: data.clone() })
            }
            Change::Complete { result, leftovers } => complete(record, now, result, *leftovers),
            Change::Fail { error, delay, retry_delay, lose } => {
                fail(record, now, error, *delay, *retry_delay, lose)
            }
            Change::Acknowledge => {
                end_lease(record, Ending::Acknowledged);
                cancelled(record, now)
            }
        };
        if operate.announces {
            self.workers.iter_mut().filter(|(known, _)| Some(&known.worker) == worker.as_ref()).for_each(
                |(_, last_seen)| {
                    *last_seen = now;
                },
            );
        }
        if let Some(body) = event {
            self.log(at, now, body);
        }
        self.applied(at, now)
    }
}

/// The first start of a job is kept. An enforced time-out begins now and the lease does not outlive it.
fn start(record: &mut Record, now: StoreTime, charge: Charge, timeout: Timeout) -> Option<EventBody> {
    record.status = Status::Running;
    record.started_at = record.started_at.or(Some(now));
    if charge == Charge::AtStart {
        record.charged += 1;
    }
    let lease = record.lease.as_mut()?;
    if timeout == Timeout::Enforced {
        let deadline = now + record.spec.timeout;
        lease.deadline = Some(deadline);
        if lease.expires_at > deadline {
            lease.expires_at = deadline;
        }
    }
    Some(EventBody::Started { worker: lease.worker.clone(), attempt: lease.attempt })
}

/// Where time-outs are enforced, what has not started is seen but not renewed. A renewal reaches beyond neither the
/// deadline nor the grace of a cancel. Answers when the lease ends.
fn renew_lease(
    record: &mut Record,
    now: StoreTime,
    span: Span,
    renew: Renew,
    timeout: Timeout,
    cancel_grace: Span,
) -> StoreTime {
    let Some(lease) = &mut record.lease else { return StoreTime::ZERO };
    lease.heartbeat_at = now;
    if timeout == Timeout::Enforced && record.status == Status::Leased {
        return lease.expires_at;
    }
    let mut end = now + span;
    if let Some(deadline) = lease.deadline {
        end = end.min(deadline);
    }
    if let Some(request) = &record.cancel {
        end = end.min(request.at + cancel_grace);
    }
    if renew == Renew::Overwrite || end > lease.expires_at {
        lease.expires_at = end;
    }
    lease.expires_at
}

/// A cancel that was asked for wins over what the worker reports.
fn cancelled(record: &mut Record, now: StoreTime) -> Option<EventBody> {
    let reason = record.cancel.as_ref()?.reason.clone();
    end_as_cancelled(record, now);
    Some(EventBody::Cancelled { reason })
}

fn complete(
    record: &mut Record,
    now: StoreTime,
    result: &Arc<JobResult>,
    leftovers: Leftovers,
) -> Option<EventBody> {
    end_lease(record, Ending::Completed(result.clone()));
    record.result = Some(result.clone());
    if record.cancel.is_some() {
        return cancelled(record, now);
    }
    record.status = Status::Succeeded;
    record.reason = None;
    record.completed_at = Some(now);
    if leftovers == Leftovers::Cleared {
        record.error = None;
        record.next_attempt_at = None;
    }
    Some(EventBody::Succeeded { result: result.clone() })
}

/// Tried again if the worker thinks that it helps and there is an attempt left. A bounded delay is at least the
/// back-off, and the worker's wish only up to its cap.
fn fail(
    record: &mut Record,
    now: StoreTime,
    error: &Arc<JobError>,
    delay: Span,
    retry_delay: RetryDelay,
    lose: &Lose,
) -> Option<EventBody> {
    let never_started = record.status == Status::Leased && lose.charge == Charge::AtStart;
    end_lease(record, Ending::Failed(error.clone()));
    record.error = Some(error.clone());
    if record.cancel.is_some() {
        return cancelled(record, now);
    }
    let again = has_another_attempt(record, never_started, lose) && error.retryable;
    let wait = match retry_delay {
        RetryDelay::Worker => delay,
        RetryDelay::Bounded => {
            back_off(lose, record.charged + record.unstarted).max(delay.min(lose.back_off_max))
        }
    };
    record.reason = Some(error.code.clone());
    go_on_or_end(record, now, again.then(|| now + wait), Status::Failed);
    Some(match record.next_attempt_at {
        Some(next_attempt_at) => EventBody::RetryScheduled { error: error.clone(), next_attempt_at },
        None => EventBody::Failed { error: error.clone() },
    })
}
