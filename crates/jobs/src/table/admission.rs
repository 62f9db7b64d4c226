use crate::text::Text;
use crate::{AdmissionCounts, Spec, Status, Subject};
use holdover_machine::{Span, StoreTime};
use rustc_hash::FxHashMap;

/// Jobs by tenant and by user. A job whose request is not kept counts nowhere.
#[derive(Debug, Clone, Default)]
pub(super) struct AdmissionIndex {
    tenants: FxHashMap<Text, Jobs>,
    users: FxHashMap<Text, Jobs>,
}

#[derive(Debug, Clone, Default)]
struct Jobs {
    active: u64,
    /// When each came in, in order of time: where time only goes on, a new one is the last.
    created: Vec<StoreTime>,
}

impl Jobs {
    fn created(&mut self, at: StoreTime) {
        self.active += 1;
        let place = self.created.partition_point(|earlier| *earlier <= at);
        self.created.insert(place, at);
    }

    fn since(&self, start: StoreTime) -> u64 {
        (self.created.len() - self.created.partition_point(|at| *at < start)) as u64
    }
}

impl AdmissionIndex {
    /// A job whose request is kept has come in, active.
    pub(super) fn created(&mut self, spec: &Spec, at: StoreTime) {
        self.each(spec, |jobs| jobs.created(at));
    }

    pub(super) fn moved(&mut self, spec: &Spec, from: Status, to: Status) {
        // An inactive job never becomes active by a move: one that is let in later is counted by `created`.
        if from.is_active() && !to.is_active() {
            self.each(spec, |jobs| jobs.active -= 1);
        }
    }

    /// An inactive job was put back to where it is active.
    pub(super) fn restored(&mut self, spec: &Spec) {
        self.each(spec, |jobs| jobs.active += 1);
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
