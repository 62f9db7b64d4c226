use super::Contract;
use holdover_jobs::rules::Blocked;
use holdover_jobs::*;
use holdover_machine::StoreTime;
use serde_json::json;
use std::sync::Arc;

impl Contract {
    /// Key, then id, then limits, then the insert.
    pub(super) fn create(&mut self, now: StoreTime, create: &Create) -> Created {
        if let Some(at) = self.jobs.iter().position(|job| job.record.spec.key == create.spec.key) {
            return self.create_again(now, at, create);
        }
        if self.find(&create.spec.job_id).is_some() {
            return Created::IdTaken;
        }
        let spec = self.judge(now, create);
        let queued = spec.decision.dispatch_allowed;
        let ended = !queued && create.blocked == Blocked::Final;
        let (executor, reason) = (spec.executor.clone(), spec.decision.reason.clone());
        let record = Record {
            number: self.jobs.len() as u32,
            created_at: now,
            status: if queued { Status::Queued } else { Status::Blocked },
            reason: reason.clone(),
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
            spec: Arc::new(spec),
        };
        self.jobs.push(super::Job { record, events: Vec::new() });
        let at = self.jobs.len() - 1;
        let body = match queued {
            true => EventBody::Queued { executor, reason },
            false => EventBody::Blocked { executor, reason },
        };
        self.log(at, now, body);
        Created::New(self.shown(at))
    }

    /// A known key gives the known job. A parked one is judged again, if it is asked for as it was before: let in,
    /// it is ready from now on; refused for another reason, it says so.
    fn create_again(&mut self, now: StoreTime, at: usize, create: &Create) -> Created {
        let known = self.jobs[at].record.clone();
        let same = known.spec.fingerprint == create.spec.fingerprint
            && (!create.compare_id || known.spec.job_id == create.spec.job_id);
        if create.blocked == Blocked::Final || known.status != Status::Blocked || !same {
            return Created::Known(Arc::new(known));
        }
        let mut spec = self.judge(now, create);
        spec.job_id = known.spec.job_id.clone();
        spec.decision.job_id = known.spec.job_id.clone();
        let (executor, reason) = (spec.executor.clone(), spec.decision.reason.clone());
        let let_in = spec.decision.dispatch_allowed;
        if !let_in && reason == known.reason {
            return Created::Known(Arc::new(known));
        }
        let record = &mut self.jobs[at].record;
        record.spec = Arc::new(spec);
        record.reason = reason.clone();
        record.updated_at = now;
        if !let_in {
            self.log(at, now, EventBody::Blocked { executor, reason });
            return Created::Known(self.shown(at));
        }
        record.status = Status::Queued;
        record.ready_at = now;
        record.completed_at = None;
        self.log(at, now, EventBody::Unblocked { executor, reason });
        Created::Unblocked(self.shown(at))
    }

    /// What a create fixes: over a limit, a job that the gates let in is blocked, and its request is not kept.
    fn judge(&self, now: StoreTime, create: &Create) -> Spec {
        let mut spec = (*create.spec).clone();
        let (Some(limits), Some(request)) = (create.limits, spec.request.clone()) else { return spec };
        let subject = Subject { tenant: request.tenant.clone(), user: request.user.clone() };
        let counts = self.admission_counts(&subject, now, create.window);
        let reached = |max: Option<u64>, count: u64| max.is_some_and(|max| count >= max);
        let refusal = if reached(limits.global_active_max, counts.global_active) {
            "executor_admission_global_limit"
        } else if reached(limits.tenant_active_max, counts.tenant_active) {
            "executor_admission_tenant_limit"
        } else if reached(limits.tenant_recent_max, counts.tenant_recent) {
            "executor_admission_tenant_rate"
        } else {
            spec.decision.admission = Some(json!({ "allowed": true }));
            return spec;
        };
        spec.decision.admission = Some(json!({ "allowed": false, "reason": refusal }));
        spec.decision.dispatch_allowed = false;
        spec.decision.reason = Some(refusal.into());
        spec.request = None;
        spec
    }
}
