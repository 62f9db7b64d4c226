//! A small table of what another store has found for one command.

use super::admission::Counted;
use super::{Job, Order, Places, RememberedClaim, Table};
use crate::{AdmissionCounts, Incarnation, Record};
use std::sync::Arc;

/// What such a table is told of the jobs that it does not have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Assumed {
    /// The counts for admission.
    pub(crate) counts: Option<AdmissionCounts>,
    /// How many jobs the process holds, those of the table among them.
    pub(crate) held: Option<(Incarnation, u32)>,
    /// Whether no jobs are handed out.
    pub(crate) shut: bool,
    /// What is remembered of the process's last claim; its jobs are in the table.
    pub(crate) last_claim: Option<(Incarnation, RememberedClaim)>,
}

impl Table {
    /// A watched table of these jobs in the order of their numbers, each with how many events its log has.
    pub(crate) fn of_found(
        order: Order,
        jobs: impl Iterator<Item = (Record, u64)>,
        assumed: Assumed,
    ) -> Self {
        let mut table = Self::new(order).watched();
        for (record, events) in jobs {
            table.adopt(record, events);
        }
        table.admission.assumed = assumed.counts;
        table.open = !assumed.shut;
        if let Some((process, held)) = assumed.held.filter(|(_, held)| *held > 0) {
            table.held.insert(process, held);
        }
        if let Some((process, claim)) = assumed.last_claim {
            table.claims.set(process, claim);
        }
        table
    }

    fn adopt(&mut self, record: Record, earlier: u64) {
        let number = u32::try_from(self.jobs.len()).unwrap_or(u32::MAX);
        let record = Arc::new(Record { number, ..record });
        let places = Places::of(&record, self.ready.order());
        self.ids.insert(record.id().clone(), number);
        self.keys.insert(record.spec.key.clone(), number);
        self.counts[record.status as usize] += 1;
        self.admission.entered(&Counted::of(&record));
        self.ready.insert(&record.spec, places.ready, number);
        self.expiry.extend(places.expires_at.map(|at| (at, number)));
        if let Some(process) = places.incarnation {
            *self.held.entry(process).or_default() += 1;
        }
        self.jobs.push(Job { record, events: Vec::new(), earlier });
    }
}
