use crate::text::Text;
use crate::{AdmissionCounts, Record, Spec, Subject};
use holdover_machine::{Span, StoreTime};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Jobs by tenant and by user. A job whose request is not kept counts nowhere.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct AdmissionIndex {
    tenants: FxHashMap<Text, Jobs>,
    users: FxHashMap<Text, Jobs>,
    /// The counts, where they were counted elsewhere.
    pub(super) assumed: Option<AdmissionCounts>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Jobs {
    active: u64,
    /// When each came in, in order of time: where time only goes on, a new one is the last.
    created: Vec<StoreTime>,
}

/// What of a record is counted.
pub(super) struct Counted {
    pub(super) spec: Arc<Spec>,
    created_at: StoreTime,
    active: bool,
}

impl Counted {
    pub(super) fn of(record: &Record) -> Self {
        Self {
            spec: Arc::clone(&record.spec),
            created_at: record.created_at,
            active: record.status.is_active(),
        }
    }
}

impl Jobs {
    fn enter(&mut self, at: StoreTime) {
        let place = self.created.partition_point(|earlier| *earlier <= at);
        self.created.insert(place, at);
    }

    fn leave(&mut self, at: StoreTime) {
        let place = self.created.partition_point(|earlier| *earlier < at);
        self.created.remove(place);
    }

    fn since(&self, start: StoreTime) -> u64 {
        (self.created.len() - self.created.partition_point(|at| *at < start)) as u64
    }
}

impl AdmissionIndex {
    /// A job has come in.
    pub(super) fn entered(&mut self, job: &Counted) {
        self.each(&job.spec, |jobs| {
            jobs.active += u64::from(job.active);
            jobs.enter(job.created_at);
        });
    }

    /// A record has changed. What create fixed changes only when a parked job is judged again, or when a job is put
    /// back to how it was before that.
    pub(super) fn moved(&mut self, before: &Counted, after: &Counted) {
        if !Arc::ptr_eq(&before.spec, &after.spec) || before.created_at != after.created_at {
            self.left(before);
            self.entered(after);
        } else if before.active != after.active {
            self.each(&after.spec, |jobs| {
                jobs.active = jobs.active - u64::from(before.active) + u64::from(after.active);
            });
        }
    }

    fn left(&mut self, job: &Counted) {
        self.each(&job.spec, |jobs| {
            jobs.active -= u64::from(job.active);
            jobs.leave(job.created_at);
        });
    }

    fn each(&mut self, spec: &Spec, change: impl Fn(&mut Jobs)) {
        let Some(request) = &spec.request else { return };
        for (index, name) in [(&mut self.tenants, &request.tenant), (&mut self.users, &request.user)] {
            let Some(name) = name else { continue };
            match index.get_mut(name) {
                Some(jobs) => change(jobs),
                None => change(index.entry(name.clone()).or_default()),
            }
        }
    }

    pub(super) fn counts(
        &self,
        subject: &Subject,
        now: StoreTime,
        window: Span,
        active: u64,
    ) -> AdmissionCounts {
        if let Some(counts) = self.assumed {
            return counts;
        }
        let of = |index: &FxHashMap<Text, Jobs>, name: &Option<Text>| match name
            .as_ref()
            .and_then(|name| index.get(name))
        {
            Some(jobs) => (jobs.active, jobs.since(now - window)),
            None => (0, 0),
        };
        let (tenant_active, tenant_recent) = of(&self.tenants, &subject.tenant);
        let (user_active, user_recent) = of(&self.users, &subject.user);
        AdmissionCounts { global_active: active, tenant_active, user_active, tenant_recent, user_recent }
    }
}
