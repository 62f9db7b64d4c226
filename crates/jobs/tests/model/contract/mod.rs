//! The store contract by naive scans. A second reading, not a second implementation: nothing here is fast.

mod cancel;
mod claim;
mod create;
mod guard;
mod lose;
mod operate;
mod order;
mod read;

use claim::LastClaim;
use holdover_jobs::rules::Floor;
use holdover_jobs::*;
use holdover_machine::StoreTime;
use std::sync::Arc;

/// A store: what was created, who was announced, and the few things that are remembered besides.
pub(crate) struct Contract {
    order: Order,
    jobs: Vec<Job>,
    workers: Vec<(Announcement, StoreTime)>,
    claims: Vec<LastClaim>,
    floor: StoreTime,
    open: bool,
}

/// A job and its log.
pub(crate) struct Job {
    pub(crate) record: Record,
    pub(crate) events: Vec<Event>,
}

impl Contract {
    pub(crate) fn new(order: Order) -> Self {
        let (jobs, workers, claims) = (Vec::new(), Vec::new(), Vec::new());
        Self { order, jobs, workers, claims, floor: StoreTime::MIN, open: true }
    }

    pub(crate) fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Puts a job back to how it was.
    pub(crate) fn restore(&mut self, record: Record, events: Vec<Event>) {
        let at = record.number as usize;
        self.jobs[at] = Job { record, events };
    }

    /// One step: the stamp says by whose clock it is judged.
    pub(crate) fn execute(&mut self, clock: StoreTime, call: &Call) -> Reply {
        let now = match call.stamp {
            Stamp::Caller(time) => time,
            Stamp::Store(Floor::Absent) => clock,
            Stamp::Store(Floor::Held) => {
                self.floor = self.floor.max(clock);
                self.floor
            }
        };
        match &call.command {
            Command::Load(id) => Reply::Found(self.find(id).map(|at| self.shown(at))),
            Command::FindByKey(key) => Reply::Found(self.find_by_key(key)),
            Command::Create(create) => Reply::Created(self.create(now, create)),
            Command::Claim(claim) => Reply::Claimed(self.claim(now, claim)),
            Command::ClaimMany(many) => Reply::ClaimedMany(self.claim_many(now, many)),
            Command::Operate(operate) => Reply::Operated(self.operate(now, operate)),
            Command::OperateMany(list) => {
                Reply::OperatedMany(list.iter().map(|operate| self.operate(now, operate)).collect())
            }
            Command::SettleAndClaim(both) => {
                let settled = self.operate(now, &both.settle);
                Reply::SettledAndClaimed { settled, claimed: self.claim(now, &both.claim) }
            }
            Command::Recover(recover) => Reply::Operated(self.recover(now, recover)),
            Command::Cancel(cancel) => Reply::Operated(self.cancel(now, cancel)),
            Command::ListExpired(list) => Reply::Expired(self.list_expired(now, list)),
            Command::QueueStats => Reply::QueueStats(self.queue_stats(now)),
            Command::AdmissionCounts { subject, window } => {
                Reply::AdmissionCounts(self.admission_counts(subject, now, *window))
            }
            Command::Events { job, after, limit } => Reply::Events(self.page(job, *after, *limit)),
            Command::Announce(announcement) => self.announce(now, announcement),
            Command::Workers { stale_after } => Reply::Workers(self.workers(now, *stale_after)),
            Command::Switch { open } => {
                self.open = *open;
                Reply::Done
            }
        }
    }

    fn find(&self, id: &JobId) -> Option<usize> {
        self.jobs.iter().position(|job| job.record.id() == id)
    }

    fn shown(&self, at: usize) -> Arc<Record> {
        Arc::new(self.jobs[at].record.clone())
    }

    /// Appends to a log, under the next number.
    fn log(&mut self, job: usize, at: StoreTime, body: EventBody) {
        let events = &mut self.jobs[job].events;
        events.push(Event { sequence: events.len() as u64 + 1, at, body });
    }

    fn applied(&self, at: usize, now: StoreTime) -> Operated {
        Operated::Applied { record: self.shown(at), replayed: false, now }
    }

    fn applied_before(&self, at: usize, now: StoreTime) -> Operated {
        Operated::Applied { record: self.shown(at), replayed: true, now }
    }

    fn refused(&self, at: usize, reason: Refusal) -> Operated {
        Operated::Refused { reason, record: Some(self.shown(at)) }
    }
}

const UNKNOWN: Operated = Operated::Refused { reason: Refusal::NotFound, record: None };
