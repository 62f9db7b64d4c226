use super::admission::Counted;
use super::{Job, Table, Touched};
use crate::rules::Blocked;
use crate::{Create, Created, EventBody, Record, Spec, Status, Subject};
use holdover_machine::StoreTime;
use std::sync::Arc;

impl Table {
    /// Looks the key up, judges the limits and inserts, in one step.
    pub(super) fn create(&mut self, now: StoreTime, create: &Create) -> Created {
        if let Some(&number) = self.keys.get(&create.spec.key) {
            return self.create_again(now, number, create);
        }
        if self.ids.contains_key(&create.spec.job_id) {
            return Created::IdTaken;
        }
        let spec = self.admit(now, create);
        let number = u32::try_from(self.jobs.len()).unwrap_or(u32::MAX);
        let status = if spec.dispatch_allowed() { Status::Queued } else { Status::Blocked };
        let record = Arc::new(new_record(Arc::clone(&spec), number, now, status, create.blocked));
        self.ids.insert(spec.job_id.clone(), number);
        self.keys.insert(spec.key.clone(), number);
        self.jobs.push(Job { record: Arc::clone(&record), events: Vec::with_capacity(4), earlier: 0 });
        if let Some(feed) = &mut self.feed {
            feed.push(Touched { number, before: None, events: 0 });
        }
        self.counts[status as usize] += 1;
        self.admission.entered(&Counted::of(&record));
        self.ready.insert(&spec, super::ReadyKey::of(&record, self.ready.order()), number);
        self.emit(number, now, created_event(&spec, status));
        Created::New(record)
    }

    /// The same key again: the known job, except that a parked one is judged anew.
    fn create_again(&mut self, now: StoreTime, number: u32, create: &Create) -> Created {
        let known = Arc::clone(&self.jobs[number as usize].record);
        let parked = create.blocked == Blocked::Parked && known.status == Status::Blocked;
        let other_id = create.compare_id && *known.id() != create.spec.job_id;
        if !parked || other_id || known.spec.fingerprint != create.spec.fingerprint {
            return Created::Known(known);
        }
        let judged = self.admit(now, create);
        if !judged.dispatch_allowed() && judged.decision.reason == known.reason {
            return Created::Known(known);
        }
        // The job keeps the id that it was first given.
        let mut spec = (*judged).clone();
        spec.job_id = known.id().clone();
        spec.decision.job_id = known.id().clone();
        self.judge_again(now, number, Arc::new(spec))
    }

    /// A parked job is let in, or stays parked for another reason than before.
    fn judge_again(&mut self, now: StoreTime, number: u32, spec: Arc<Spec>) -> Created {
        let allowed = spec.dispatch_allowed();
        let (executor, reason) = (spec.executor.clone(), spec.decision.reason.clone());
        let record = self.change(number, |record| {
            record.spec = Arc::clone(&spec);
            record.reason = reason.clone();
            record.updated_at = now;
            if allowed {
                record.status = Status::Queued;
                record.ready_at = now;
                record.completed_at = None;
            }
        });
        if !allowed {
            self.emit(number, now, EventBody::Blocked { executor, reason });
            return Created::Known(record);
        }
        self.emit(number, now, EventBody::Unblocked { executor, reason });
        Created::Unblocked(record)
    }

    /// What the create fixes once the limits have been asked.
    fn admit(&self, now: StoreTime, create: &Create) -> Arc<Spec> {
        let (Some(limits), Some(request)) = (&create.limits, &create.spec.request) else {
            return Arc::clone(&create.spec);
        };
        let subject = Subject { tenant: request.tenant.clone(), user: request.user.clone() };
        let answer = limits.answer(&self.admission.counts(&subject, now, create.window, self.active()));
        let decision = create.spec.decision.clone().admitted(answer);
        Arc::new(Spec::new(request, create.spec.key.clone(), decision))
    }
}

fn new_record(spec: Arc<Spec>, number: u32, now: StoreTime, status: Status, blocked: Blocked) -> Record {
    // A blocked job that is final has ended with its creation.
    let ended = status == Status::Blocked && blocked == Blocked::Final;
    Record {
        number,
        created_at: now,
        status,
        reason: spec.decision.reason.clone(),
        attempts: 0,
        charged: 0,
        unstarted: 0,
        lease: None,
        ready_at: now,
        next_attempt_at: None,
        error: None,
        result: None,
        cancel: None,
        updated_at: now,
        started_at: None,
        completed_at: ended.then_some(now),
        past: Vec::new(),
        spec,
    }
}

fn created_event(spec: &Spec, status: Status) -> EventBody {
    let (executor, reason) = (spec.executor.clone(), spec.decision.reason.clone());
    match status {
        Status::Queued => EventBody::Queued { executor, reason },
        _ => EventBody::Blocked { executor, reason },
    }
}
