use holdover_jobs::records::{Changes, Condition, Found, Kept, LastClaim, Need, Step};
use holdover_jobs::rules::Floor;
use holdover_jobs::{Announcement, Call, Event, EventPage, Incarnation, Order, Record, Reply, Stamp};
use holdover_machine::StoreTime;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Jobs in the order of their creation, on which every command is carried out by a step: a store of records that is
/// alone.
pub(crate) struct RecordList {
    order: Order,
    jobs: Vec<Kept>,
    logs: Vec<Vec<Event>>,
    claims: BTreeMap<Incarnation, LastClaim>,
    workers: Vec<(Announcement, StoreTime)>,
    open: bool,
    latest: StoreTime,
}

impl RecordList {
    pub(crate) fn new(order: Order) -> Self {
        Self {
            order,
            jobs: Vec::new(),
            logs: Vec::new(),
            claims: BTreeMap::new(),
            workers: Vec::new(),
            open: true,
            latest: StoreTime::from_ms(i64::MIN),
        }
    }

    pub(crate) fn execute(&mut self, now: StoreTime, call: &Call) -> Result<Reply, String> {
        let now = match call.stamp {
            Stamp::Caller(time) => time,
            Stamp::Store(Floor::Absent) => now,
            Stamp::Store(Floor::Held) => {
                self.latest = self.latest.max(now);
                self.latest
            }
        };
        let mut step = Step::new(call, now, self.order);
        loop {
            let needs = step.needs();
            if needs.is_empty() {
                break;
            }
            for need in needs {
                let found = self.read(&need);
                step.found(need, found);
            }
        }
        let (reply, changes) = step.carry_out();
        let broken = |condition: &&Condition| !condition.holds(&self.read(&condition.need()));
        match changes.conditions.iter().find(broken) {
            Some(condition) => Err(format!("{condition:?} does not hold, and nobody has changed anything")),
            None => {
                self.commit(changes);
                Ok(reply)
            }
        }
    }

    fn read(&self, need: &Need) -> Found {
        match need {
            Need::LastClaim(process) => Found::LastClaim(self.claims.get(process).cloned()),
            Need::Switch => Found::Switch(self.open),
            Need::Workers => Found::Workers(self.workers.clone()),
            Need::Events { job, after, limit } => {
                let place = self.jobs.iter().position(|kept| kept.record.id() == job);
                Found::Events(place.map(|place| EventPage::of(&self.logs[place], *after, *limit)))
            }
            Need::Number => Found::Number(self.jobs.len() as u32),
            need => need.among(self.jobs.iter()).expect("every other need is about jobs"),
        }
    }

    fn commit(&mut self, changes: Changes) {
        changes.register(&mut self.workers);
        for job in changes.jobs {
            let place = job.record.number as usize;
            if job.new {
                self.logs.push(Vec::new());
            }
            self.logs[place].extend(job.events);
            let revision = self.jobs.get(place).map_or(0, |kept| kept.revision + 1);
            let events = self.logs[place].len() as u64;
            let kept = Kept { record: Arc::new(job.record), revision, events };
            match self.jobs.get_mut(place) {
                Some(known) => *known = kept,
                None => self.jobs.push(kept),
            }
        }
        if let Some((process, last)) = changes.last_claim {
            let now = last.used_at;
            self.claims.insert(process, last);
            if let Some(before) = changes.forget_claims_before {
                (0..2).for_each(|_| self.forget_a_claim(before, now));
            }
        }
        self.open = changes.open.unwrap_or(self.open);
    }

    /// Of the process that was in use longest ago, if that was before this; one that holds something is in use.
    fn forget_a_claim(&mut self, before: StoreTime, now: StoreTime) {
        let oldest = self.claims.iter_mut().min_by_key(|(process, claim)| (claim.used_at, **process));
        let Some((&process, claim)) = oldest.filter(|(_, claim)| claim.used_at < before) else { return };
        let holds = Need::Held(process).among(self.jobs.iter());
        if holds != Some(Found::Held(0)) {
            claim.used_at = now;
        } else {
            self.claims.remove(&process);
        }
    }

    /// Puts a job back as it was once.
    pub(crate) fn restore(&mut self, record: Record, events: Vec<Event>) {
        let place = record.number as usize;
        let revision = self.jobs[place].revision + 1;
        self.jobs[place] = Kept { record: Arc::new(record), revision, events: events.len() as u64 };
        self.logs[place] = events;
    }

    /// The job of this number, with its log.
    pub(crate) fn job(&self, number: usize) -> Option<(&Record, &[Event])> {
        Some((&*self.jobs.get(number)?.record, &self.logs[number]))
    }
}
