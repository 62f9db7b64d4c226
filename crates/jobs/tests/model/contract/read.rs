use super::{Contract, order};
use holdover_jobs::*;
use holdover_machine::{Span, StoreTime};
use std::sync::Arc;

impl Contract {
    /// White space around a key does not count; it is the white space of ECMAScript.
    pub(super) fn find_by_key(&self, key: &Key) -> Option<Arc<Record>> {
        let white = |c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{FEFF}';
        let text = key.text.trim_matches(white);
        let known =
            |job: &super::Job| job.record.spec.key.scope == key.scope && &*job.record.spec.key.text == text;
        self.jobs.iter().position(known).map(|at| self.shown(at))
    }

    pub(super) fn list_expired(&self, now: StoreTime, list: &ListExpired) -> Vec<Arc<Record>> {
        let expiry = |at: &usize| self.jobs[*at].record.lease.as_ref().map(|lease| lease.expires_at);
        let over = |at: &usize| expiry(at).is_some_and(|expires_at| now >= expires_at + list.grace);
        let mut found: Vec<usize> = (0..self.jobs.len()).filter(over).collect();
        found.sort_by_key(expiry);
        found.truncate(list.limit as usize);
        found.into_iter().map(|at| self.shown(at)).collect()
    }

    pub(super) fn queue_stats(&self, now: StoreTime) -> QueueStats {
        let count = |holds: &dyn Fn(&Record) -> bool| {
            self.jobs.iter().filter(|job| holds(&job.record)).count() as u64
        };
        QueueStats {
            counts: Status::ALL.map(|status| count(&|record| record.status == status)),
            claimable: count(&|record| order::is_claimable(record, now)),
            expired: count(&|record| record.lease.as_ref().is_some_and(|lease| now >= lease.expires_at)),
        }
    }

    /// A job counts for its tenant and its user where its request is kept.
    pub(super) fn admission_counts(
        &self,
        subject: &Subject,
        now: StoreTime,
        window: Span,
    ) -> AdmissionCounts {
        let count = |holds: &dyn Fn(&Record) -> bool| {
            self.jobs.iter().filter(|job| holds(&job.record)).count() as u64
        };
        let of = |asked: &Option<Text>, said: Option<&Text>| asked.is_some() && asked.as_ref() == said;
        let recent = |record: &Record| record.created_at >= now - window;
        AdmissionCounts {
            global_active: count(&|job| job.status.is_active()),
            tenant_active: count(&|job| job.status.is_active() && of(&subject.tenant, job.tenant())),
            user_active: count(&|job| job.status.is_active() && of(&subject.user, job.user())),
            tenant_recent: count(&|job| recent(job) && of(&subject.tenant, job.tenant())),
            user_recent: count(&|job| recent(job) && of(&subject.user, job.user())),
        }
    }

    pub(super) fn page(&self, id: &JobId, after: u64, limit: u64) -> Option<EventPage> {
        let events = &self.jobs[self.find(id)?].events;
        let unseen = events.iter().filter(|event| event.sequence > after);
        let page = unseen.take(usize::try_from(limit).unwrap_or(usize::MAX)).cloned().collect();
        Some(EventPage { events: page, last: events.len() as u64 })
    }

    pub(super) fn announce(&mut self, now: StoreTime, announcement: &Announcement) -> Reply {
        match self.workers.iter_mut().find(|(known, _)| known.worker == announcement.worker) {
            Some(known) => *known = (announcement.clone(), now),
            None => self.workers.push((announcement.clone(), now)),
        }
        Reply::Done
    }

    /// Last seen first; who was announced first, among those seen at the same time.
    pub(super) fn workers(&self, now: StoreTime, stale_after: Span) -> Vec<WorkerView> {
        let mut workers = self.workers.clone();
        workers.sort_by(|(_, left), (_, right)| right.cmp(left));
        let view = |(announcement, last_seen)| WorkerView {
            announcement,
            last_seen,
            stale: last_seen < now - stale_after,
        };
        workers.into_iter().map(view).collect()
    }
}
