//! A whole store in a map: what somebody writes who has a store of their own. It looks at every job for every need,
//! which is enough for a small store; a database answers each need by an index.

use holdover_conform::{ManualClock, Options, Subject, conform};
use holdover_jobs::records::{Changes, Found, Kept, LastClaim, Need};
use holdover_jobs::{Announcement, Event, EventPage, Incarnation, JobId, Order};
use holdover_machine::StoreTime;
use holdover_store::{RecordStore, Records, StoreClock, StoreError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Jobs in a map behind a lock, and a clock.
pub(crate) struct PlainMap(Mutex<Contents>, ManualClock);

#[derive(Default)]
struct Contents {
    jobs: BTreeMap<JobId, Kept>,
    logs: BTreeMap<JobId, Vec<Event>>,
    claims: BTreeMap<Incarnation, LastClaim>,
    workers: Vec<(Announcement, StoreTime)>,
    shut: bool,
    numbers: u32,
}

impl Contents {
    fn read(&mut self, need: &Need) -> Found {
        match need {
            Need::LastClaim(process) => Found::LastClaim(self.claims.get(process).cloned()),
            Need::Switch => Found::Switch(!self.shut),
            Need::Workers => Found::Workers(self.workers.clone()),
            Need::Events { job, after, limit } => {
                Found::Events(self.logs.get(job).map(|log| EventPage::of(log, *after, *limit)))
            }
            Need::Number => {
                self.numbers += 1;
                Found::Number(self.numbers)
            }
            need => need.among(self.jobs.values()).expect("every other need is about jobs"),
        }
    }

    fn write(&mut self, changes: &Changes) {
        for job in &changes.jobs {
            let (id, log) = (job.record.id(), self.logs.entry(job.record.id().clone()).or_default());
            log.extend(job.events.iter().cloned());
            let revision = self.jobs.get(id).map_or(0, |kept| kept.revision + 1);
            let kept = Kept { record: Arc::new(job.record.clone()), revision, events: log.len() as u64 };
            self.jobs.insert(id.clone(), kept);
        }
        self.claims.extend(changes.last_claim.clone());
        changes.register(&mut self.workers);
        self.shut = changes.open.map_or(self.shut, |open| !open);
    }
}

impl Records for PlainMap {
    async fn now(&self) -> Result<StoreTime, StoreError> {
        Ok(self.1.now())
    }

    async fn read(&self, needs: &[Need]) -> Result<Vec<Found>, StoreError> {
        let mut kept = self.0.lock().expect("no panic inside");
        Ok(needs.iter().map(|need| kept.read(need)).collect())
    }

    async fn commit(&self, changes: &Changes) -> Result<bool, StoreError> {
        let mut kept = self.0.lock().expect("no panic inside");
        let holds = changes.conditions.iter().all(|condition| condition.holds(&kept.read(&condition.need())));
        if holds {
            kept.write(changes);
        }
        Ok(holds)
    }
}

/// Opens plain maps.
pub(crate) struct PlainMaps;

impl Subject for PlainMaps {
    type Store = RecordStore<PlainMap>;

    async fn open(&self, order: Order, clock: ManualClock) -> Result<Self::Store, StoreError> {
        Ok(RecordStore::new(PlainMap(Mutex::default(), clock), order))
    }
}

fn main() {
    print!("{}", conform(&PlainMaps, &Options::default()));
}
