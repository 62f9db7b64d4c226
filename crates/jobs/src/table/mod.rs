//! The pure, indexed meaning of the store contract.
//!
//! Everything that a store must do is here, once: other stores are measured against it. The table owns mechanics
//! only. Every change of a record goes through [`Table::change`], every event through [`Table::emit`], every end
//! of a lease through `end_lease`, which is why indexes, counters and logs cannot drift from the records.
//!
//! No operation looks at jobs that it is not about: claims, expired leases, due retries, counts and event pages
//! all come from indexes.

mod admission;
mod cancel;
mod claim;
mod claim_memory;
mod create;
mod found;
mod guard;
mod lose;
mod operate;
mod ready;
mod workers;

use crate::collation::CollatedId;
use crate::rules::Floor;
use crate::{
    Call, Command, Event, EventBody, EventPage, Incarnation, JobId, Key, ListExpired, QueueStats, Record,
    Reply, Stamp, Status,
};
use admission::{AdmissionIndex, Counted};
use claim_memory::ClaimMemory;
pub use claim_memory::RememberedClaim;
pub(crate) use found::Assumed;
use holdover_machine::StoreTime;
use ready::{Ready, ReadyKey};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
pub(crate) use workers::Workers;

/// In what order a table hands jobs out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By creation time, then by the collation of the id.
    Created,
    /// By how long they have been ready, then by creation number.
    Fifo,
    /// A ring of tenants, each served in turn; inside a tenant as [`Order::Fifo`].
    TenantRing,
}

impl Order {
    /// Which of two jobs that are ready is handed out first. The ring of tenants has no order of its own between two
    /// jobs: inside a tenant it is that of [`Order::Fifo`].
    pub fn compare(self, one: &Record, other: &Record) -> Ordering {
        match self {
            Self::Created => {
                let place = |record: &Record| (record.created_at, CollatedId(record.id().text().clone()));
                place(one).cmp(&place(other))
            }
            Self::Fifo | Self::TenantRing => (one.ready_at, one.number).cmp(&(other.ready_at, other.number)),
        }
    }
}

/// A store in memory: jobs, their events, the worker registry, and the indexes over them.
#[derive(Debug, PartialEq)]
pub struct Table {
    jobs: Vec<Job>,
    ids: FxHashMap<JobId, u32>,
    keys: FxHashMap<Key, u32>,
    ready: Ready,
    expiry: BTreeSet<(StoreTime, u32)>,
    counts: [u64; Status::ALL.len()],
    admission: AdmissionIndex,
    held: BTreeMap<Incarnation, u32>,
    claims: ClaimMemory,
    workers: Workers,
    floor: StoreTime,
    open: bool,
    judged_at: StoreTime,
    feed: Option<Vec<Touched>>,
}

holdover_machine::clone_by_member!(Table {
    jobs, ids, keys, counts, floor, open, judged_at, feed
} compared {
    ready, expiry, admission, held, claims, workers
});

/// A job that a call has changed, as it was before: what those who watch a table see of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Touched {
    /// The job's creation number.
    pub number: u32,
    /// Its record before the call; none for a new job.
    pub before: Option<Arc<Record>>,
    /// How many events its log had before the call.
    pub events: usize,
}

#[derive(Debug, PartialEq)]
struct Job {
    record: Arc<Record>,
    events: Vec<Event>,
    /// How many events of its log are kept elsewhere, before these.
    earlier: u64,
}

holdover_machine::clone_by_member!(Job { record, earlier } compared { events });

/// Where a record stands in the indexes.
struct Places {
    status: Status,
    ready: Option<ReadyKey>,
    expires_at: Option<StoreTime>,
    incarnation: Option<Incarnation>,
}

impl Table {
    /// An empty table.
    pub fn new(order: Order) -> Self {
        Self {
            jobs: Vec::new(),
            ids: FxHashMap::default(),
            keys: FxHashMap::default(),
            ready: Ready::new(order),
            expiry: BTreeSet::new(),
            counts: [0; Status::ALL.len()],
            admission: AdmissionIndex::default(),
            held: BTreeMap::new(),
            claims: ClaimMemory::default(),
            workers: Workers::default(),
            floor: StoreTime::MIN,
            open: true,
            judged_at: StoreTime::MIN,
            feed: None,
        }
    }

    /// The same table, keeping for each call what it has changed.
    #[must_use]
    pub fn watched(mut self) -> Self {
        self.feed = Some(Vec::new());
        self
    }

    /// What the last call has changed, in a watched table.
    pub fn touched(&self) -> &[Touched] {
        self.feed.as_deref().unwrap_or_default()
    }

    /// The time that the last call was judged by.
    pub fn judged_at(&self) -> StoreTime {
        self.judged_at
    }

    /// The earliest time that a call judged by a clock that is held can be judged by.
    pub fn floor(&self) -> StoreTime {
        self.floor
    }

    /// What the table remembers of the last numbered claim of a worker process.
    pub fn remembered_claim(&self, incarnation: Incarnation) -> Option<&RememberedClaim> {
        self.claims.get(incarnation)
    }

    /// Carries a call out in one step. `clock` is the store's own clock; the call's stamp says whether it counts.
    pub fn execute(&mut self, clock: StoreTime, call: &Call) -> Reply {
        let now = self.now(clock, call.stamp);
        self.carry_out(now, &call.command)
    }

    /// Carries a command out that is judged by this time.
    pub(crate) fn carry_out(&mut self, now: StoreTime, command: &Command) -> Reply {
        self.judged_at = now;
        if let Some(feed) = &mut self.feed {
            feed.clear();
        }
        match command {
            Command::Load(job) => Reply::Found(self.record(job).cloned()),
            Command::FindByKey(key) => Reply::Found(self.find_by_key(key).cloned()),
            Command::Create(create) => Reply::Created(self.create(now, create)),
            Command::Claim(claim) => Reply::Claimed(self.claim(now, claim)),
            Command::ClaimMany(many) => Reply::ClaimedMany(self.claim_many(now, many)),
            Command::Operate(operate) => Reply::Operated(self.operate(now, operate)),
            Command::OperateMany(operations) => {
                Reply::OperatedMany(operations.iter().map(|operate| self.operate(now, operate)).collect())
            }
            Command::SettleAndClaim(both) => Reply::SettledAndClaimed {
                settled: self.operate(now, &both.settle),
                claimed: self.claim(now, &both.claim),
            },
            Command::Recover(recover) => Reply::Operated(self.recover(now, recover)),
            Command::Cancel(cancel) => Reply::Operated(self.cancel(now, cancel)),
            Command::ListExpired(list) => Reply::Expired(self.list_expired(now, *list)),
            Command::QueueStats => Reply::QueueStats(self.queue_stats(now)),
            Command::AdmissionCounts { subject, window } => {
                Reply::AdmissionCounts(self.admission.counts(subject, now, *window, self.active()))
            }
            Command::Events { job, after, limit } => Reply::Events(self.page(job, *after, *limit)),
            Command::Announce(announcement) => {
                self.workers.announce(announcement, now);
                Reply::Done
            }
            Command::Workers { stale_after } => Reply::Workers(self.workers.list(now, *stale_after)),
            Command::Switch { open } => {
                self.open = *open;
                Reply::Done
            }
        }
    }

    /// The time that a call is judged by.
    fn now(&mut self, clock: StoreTime, stamp: Stamp) -> StoreTime {
        match stamp {
            Stamp::Caller(time) => time,
            Stamp::Store(Floor::Absent) => clock,
            Stamp::Store(Floor::Held) => {
                self.floor = self.floor.max(clock);
                self.floor
            }
        }
    }

    /// The record of a job.
    pub fn record(&self, job: &JobId) -> Option<&Arc<Record>> {
        self.ids.get(job).map(|&number| &self.jobs[number as usize].record)
    }

    /// The log of a job.
    pub fn events(&self, job: &JobId) -> &[Event] {
        self.ids.get(job).map_or(&[], |&number| &self.jobs[number as usize].events)
    }

    /// The record and the log of a job by its creation number.
    pub fn job(&self, number: u32) -> Option<(&Arc<Record>, &[Event])> {
        self.jobs.get(number as usize).map(|job| (&job.record, &job.events[..]))
    }

    /// All records, in order of creation.
    pub fn records(&self) -> impl Iterator<Item = &Arc<Record>> {
        self.jobs.iter().map(|job| &job.record)
    }

    /// Puts a job as it was kept elsewhere in the place of the one that is known by its id; every index follows.
    /// Answers whether the id is known.
    pub fn restore(&mut self, kept: Record, events: Vec<Event>) -> bool {
        let Some(&number) = self.ids.get(kept.id()) else { return false };
        self.change(number, |record| *record = Record { number, ..kept });
        self.jobs[number as usize].events = events;
        true
    }

    fn find_by_key(&self, key: &Key) -> Option<&Arc<Record>> {
        let number = if key.is_trimmed() { self.keys.get(key) } else { self.keys.get(&key.trimmed()) };
        number.map(|&number| &self.jobs[number as usize].record)
    }

    fn active(&self) -> u64 {
        Status::ALL
            .iter()
            .zip(self.counts)
            .filter(|(status, _)| status.is_active())
            .map(|(_, count)| count)
            .sum()
    }

    fn list_expired(&self, now: StoreTime, list: ListExpired) -> Vec<Arc<Record>> {
        let over = self.expiry.range(..=(now - list.grace, u32::MAX));
        over.take(list.limit as usize)
            .map(|&(_, number)| Arc::clone(&self.jobs[number as usize].record))
            .collect()
    }

    fn queue_stats(&mut self, now: StoreTime) -> QueueStats {
        self.promote(now);
        QueueStats {
            counts: self.counts,
            claimable: self.counts[Status::Queued as usize] + self.ready.promoted(),
            expired: self.expiry.range(..=(now, u32::MAX)).count() as u64,
        }
    }

    fn page(&self, job: &JobId, after: u64, limit: u64) -> Option<EventPage> {
        let number = *self.ids.get(job)?;
        Some(EventPage::of(&self.jobs[number as usize].events, after, limit))
    }

    /// Changes a record and moves it in every index that it stands in.
    fn change(&mut self, number: u32, change: impl FnOnce(&mut Record)) -> Arc<Record> {
        if let Some(feed) = &mut self.feed
            && feed.iter().all(|touched| touched.number != number)
        {
            let job = &self.jobs[number as usize];
            feed.push(Touched { number, before: Some(Arc::clone(&job.record)), events: job.events.len() });
        }
        let record = &mut self.jobs[number as usize].record;
        let (before, counted) = (Places::of(record, self.ready.order()), Counted::of(record));
        change(Arc::make_mut(record));
        let after = Places::of(record, self.ready.order());
        let (recounted, shared) = (Counted::of(record), Arc::clone(record));

        self.admission.moved(&counted, &recounted);
        if before.status != after.status {
            self.counts[before.status as usize] -= 1;
            self.counts[after.status as usize] += 1;
        }
        // Executor and tenant say in which line a job stands.
        if before.ready != after.ready || !Arc::ptr_eq(&counted.spec, &recounted.spec) {
            self.ready.remove(&counted.spec, before.ready, number);
            self.ready.insert(&recounted.spec, after.ready, number);
        }
        if before.expires_at != after.expires_at {
            before.expires_at.map(|at| self.expiry.remove(&(at, number)));
            after.expires_at.map(|at| self.expiry.insert((at, number)));
        }
        if before.incarnation != after.incarnation {
            if let Some(incarnation) = before.incarnation {
                self.release(incarnation);
            }
            if let Some(incarnation) = after.incarnation {
                *self.held.entry(incarnation).or_default() += 1;
            }
        }
        shared
    }

    fn release(&mut self, incarnation: Incarnation) {
        if let Some(held) = self.held.get_mut(&incarnation) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&incarnation);
            }
        }
    }

    /// Appends an event to a job's log, under the next number.
    fn emit(&mut self, number: u32, at: StoreTime, body: EventBody) {
        let job = &mut self.jobs[number as usize];
        let sequence = job.earlier + job.events.len() as u64 + 1;
        job.events.push(Event { sequence, at, body });
    }

    /// Moves retries that have become due among the ready jobs, and back where time has gone back.
    fn promote(&mut self, now: StoreTime) {
        let jobs = &self.jobs;
        self.ready.promote(now, |number| &jobs[number as usize].record);
    }
}

impl Places {
    fn of(record: &Record, order: Order) -> Self {
        Self {
            status: record.status,
            ready: ReadyKey::of(record, order),
            expires_at: record.lease.as_ref().map(|lease| lease.expires_at),
            incarnation: record.lease.as_ref().and_then(|lease| lease.incarnation),
        }
    }
}
