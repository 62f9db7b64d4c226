use super::Table;
use super::lose::{cancelled, end_lease};
use crate::rules::{Cancel, Leftovers};
use crate::{CancelJob, CancelRequest, Ending, EventBody, Operated, Record, Refusal, Status, StatusSet};
use holdover_machine::StoreTime;
use std::sync::Arc;

const CANCELLABLE: StatusSet =
    StatusSet::of(&[Status::Blocked, Status::Queued, Status::Retryable, Status::Leased, Status::Running]);

impl Table {
    /// Ends a job at its client's wish, or leaves a request with the worker that is running it.
    pub(super) fn cancel(&mut self, now: StoreTime, cancel: &CancelJob) -> Operated {
        let Some(&number) = self.ids.get(&cancel.job) else {
            return Operated::Refused { reason: Refusal::NotFound, record: None };
        };
        let record = &self.jobs[number as usize].record;
        if !CANCELLABLE.has(record.status) || !record.spec.cancellation_allowed {
            return Operated::Refused { reason: Refusal::StatusMismatch, record: Some(Arc::clone(record)) };
        }
        if record.cancel.is_some() {
            return Operated::Applied { record: Arc::clone(record), replayed: true, now };
        }
        let asks = cancel.running == Cancel::Request && is_working(record, now, cancel);
        let request = CancelRequest { reason: cancel.reason.clone(), at: now };
        let record = self.change(number, |record| {
            record.updated_at = now;
            record.cancel = Some(request);
            if !asks {
                end_lease(record, Ending::Lost);
                cancelled(record, now);
                if cancel.leftovers == Leftovers::Cleared {
                    record.next_attempt_at = None;
                }
            }
        });
        let reason = cancel.reason.clone();
        let body = if asks { EventBody::CancelRequested { reason } } else { EventBody::Cancelled { reason } };
        self.emit(number, now, body);
        Operated::Applied { record, replayed: false, now }
    }
}

/// Whether a worker may be at work on it: started, and others may not have it yet.
fn is_working(record: &Record, now: StoreTime, cancel: &CancelJob) -> bool {
    record.is_started()
        && record.lease.as_ref().is_some_and(|lease| !lease.open_for_others(now, cancel.grace))
}
