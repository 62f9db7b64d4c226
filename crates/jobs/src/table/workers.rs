use crate::text::Text;
use crate::{Announcement, WorkerView};
use holdover_machine::{Span, StoreTime};
use rustc_hash::FxHashMap;

/// The worker registry, in order of first announcement.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Workers {
    list: Vec<(Announcement, StoreTime)>,
    by_id: FxHashMap<Text, usize>,
}

impl Workers {
    pub(super) fn announce(&mut self, announcement: &Announcement, now: StoreTime) {
        let entry = (announcement.clone(), now);
        match self.by_id.get(&announcement.worker) {
            Some(&index) => self.list[index] = entry,
            None => {
                self.by_id.insert(announcement.worker.clone(), self.list.len());
                self.list.push(entry);
            }
        }
    }

    /// A worker that is known was seen; an unknown one is not registered by it.
    pub(super) fn seen(&mut self, worker: &Text, now: StoreTime) {
        if let Some(&index) = self.by_id.get(worker) {
            self.list[index].1 = now;
        }
    }

    pub(super) fn list(&self, now: StoreTime, stale_after: Span) -> Vec<WorkerView> {
        Self::view(self.list.iter(), now, stale_after)
    }

    /// Last seen first, ties in order of first announcement, which is the order of the list.
    pub(crate) fn view<'a>(
        list: impl Iterator<Item = &'a (Announcement, StoreTime)>,
        now: StoreTime,
        stale_after: Span,
    ) -> Vec<WorkerView> {
        let view = |(announcement, last_seen): &(Announcement, StoreTime)| WorkerView {
            announcement: announcement.clone(),
            last_seen: *last_seen,
            stale: *last_seen < now - stale_after,
        };
        let mut views: Vec<WorkerView> = list.map(view).collect();
        views.sort_by_key(|view| std::cmp::Reverse(view.last_seen));
        views
    }
}
