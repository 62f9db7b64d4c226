use super::lose::{end_as_cancelled, end_lease};
use super::{Contract, UNKNOWN};
use holdover_jobs::rules::{Cancel, Leftovers};
use holdover_jobs::*;
use holdover_machine::StoreTime;

impl Contract {
    /// A job that has not ended ends, if its create allowed it. Where cancels are requests, a job that is running
    /// under a lease that others may not have yet is only asked to end; asking again changes nothing.
    pub(super) fn cancel(&mut self, now: StoreTime, cancel: &CancelJob) -> Operated {
        let Some(at) = self.find(&cancel.job) else { return UNKNOWN };
        let record = &mut self.jobs[at].record;
        let over = matches!(
            record.status,
            Status::Succeeded | Status::Failed | Status::Cancelled | Status::TimedOut
        );
        if over || !record.spec.cancellation_allowed {
            return self.refused(at, Refusal::StatusMismatch);
        }
        if record.cancel.is_some() {
            return self.applied_before(at, now);
        }
        let in_hand = record.status == Status::Running
            && record.lease.as_ref().is_some_and(|lease| now < lease.expires_at + cancel.grace);
        let reason = cancel.reason.clone();
        record.cancel = Some(CancelRequest { reason: reason.clone(), at: now });
        if cancel.running == Cancel::Request && in_hand {
            record.updated_at = now;
            self.log(at, now, EventBody::CancelRequested { reason });
        } else {
            end_lease(record, Ending::Lost);
            end_as_cancelled(record, now);
            if cancel.leftovers == Leftovers::Cleared {
                record.next_attempt_at = None;
            }
            self.log(at, now, EventBody::Cancelled { reason });
        }
        self.applied(at, now)
    }
}
