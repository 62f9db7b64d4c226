//! Jobs that wait for a worker: those that are ready, by executor, and retries that are not due yet.

use crate::collation::CollatedId;
use crate::table::Order;
use crate::text::Text;
use crate::{Record, Spec, Status};
use holdover_machine::StoreTime;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where a waiting job stands. Two jobs never have equal keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReadyKey {
    at: StoreTime,
    tie: Tie,
    /// When a retry is due; a queued job always is.
    due: Option<StoreTime>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    Number(u32),
    Id(CollatedId),
}

impl ReadyKey {
    pub(super) fn of(record: &Record, order: Order) -> Option<Self> {
        let due = match record.status {
            Status::Queued => None,
            Status::Retryable => Some(record.next_attempt_at.unwrap_or(StoreTime::MIN)),
            _ => return None,
        };
        Some(match order {
            Order::Created => {
                Self { at: record.created_at, tie: Tie::Id(CollatedId(record.id().text().clone())), due }
            }
            Order::Fifo | Order::TenantRing => {
                Self { at: record.ready_at, tie: Tie::Number(record.number), due }
            }
        })
    }
}

/// The waiting jobs of one executor and tenant, first to be handed out first.
type Line = BTreeMap<ReadyKey, u32>;

/// The ready jobs of one executor: lines by tenant. Without a ring all tenants share one line.
#[derive(Debug, Clone, Default, PartialEq)]
struct Queue {
    lines: BTreeMap<Option<Text>, (u64, Line)>,
    /// Whose turn it is: the tenant with the smallest turn is served next and goes to the rear.
    turns: BTreeMap<u64, Option<Text>>,
}

/// What the heads of queues are compared by: turns in a ring, keys otherwise.
type Head = (u64, ReadyKey, u32);

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ready {
    order: Order,
    queues: BTreeMap<Text, Queue>,
    waiting: BTreeSet<(StoreTime, u32)>,
    promoted: BTreeSet<(StoreTime, u32)>,
    promoted_until: StoreTime,
    next_turn: u64,
}

impl Ready {
    pub(super) fn new(order: Order) -> Self {
        Self {
            order,
            queues: BTreeMap::new(),
            waiting: BTreeSet::new(),
            promoted: BTreeSet::new(),
            promoted_until: StoreTime::MIN,
            next_turn: 1,
        }
    }

    pub(super) fn order(&self) -> Order {
        self.order
    }

    /// How many retries are among the ready jobs.
    pub(super) fn promoted(&self) -> u64 {
        self.promoted.len() as u64
    }

    pub(super) fn insert(&mut self, spec: &Spec, key: Option<ReadyKey>, number: u32) {
        match key {
            None => {}
            Some(key) => match key.due {
                Some(due) => {
                    self.waiting.insert((due, number));
                }
                None => self.enter(spec, key, number),
            },
        }
    }

    pub(super) fn remove(&mut self, spec: &Spec, key: Option<ReadyKey>, number: u32) {
        let Some(key) = key else { return };
        if let Some(due) = key.due
            && !self.promoted.remove(&(due, number))
        {
            self.waiting.remove(&(due, number));
            return;
        }
        self.leave(spec, &key);
    }

    /// The first ready job for any of these executors.
    pub(super) fn first(&self, executors: &[Text]) -> Option<u32> {
        let heads = executors.iter().filter_map(|executor| self.queues.get(executor)?.head());
        heads.min().map(|(_, _, number)| number)
    }

    /// The tenant of a job that is handed out goes to the rear of the ring.
    pub(super) fn served(&mut self, spec: &Spec) {
        let tenant = self.tenant(spec);
        let turn = self.next_turn;
        if self.order != Order::TenantRing {
            return;
        }
        if let Some(queue) = self.queues.get_mut(&spec.executor)
            && let Some((old, _)) = queue.lines.get_mut(&tenant)
        {
            queue.turns.remove(old);
            *old = turn;
            queue.turns.insert(turn, tenant);
            self.next_turn += 1;
        }
    }

    /// Brings the ready jobs up to `now`: due retries come in, and those that are not due any more go back out
    /// where the caller's clock has gone back.
    pub(super) fn promote<'a>(&mut self, now: StoreTime, record: impl Fn(u32) -> &'a Arc<Record>) {
        if now < self.promoted_until {
            let early = self.promoted.split_off(&(now, u32::MAX));
            for (due, number) in early {
                let record = record(number);
                if let Some(key) = ReadyKey::of(record, self.order) {
                    self.leave(&record.spec, &key);
                }
                self.waiting.insert((due, number));
            }
        }
        self.promoted_until = now;
        while let Some(&(due, number)) = self.waiting.first()
            && due <= now
        {
            self.waiting.pop_first();
            let record = record(number);
            if let Some(key) = ReadyKey::of(record, self.order) {
                self.enter(&record.spec, key, number);
            }
            self.promoted.insert((due, number));
        }
    }

    fn tenant(&self, spec: &Spec) -> Option<Text> {
        match self.order {
            Order::TenantRing => spec.request.as_ref().and_then(|request| request.tenant.clone()),
            Order::Created | Order::Fifo => None,
        }
    }

    fn enter(&mut self, spec: &Spec, key: ReadyKey, number: u32) {
        let tenant = self.tenant(spec);
        let queue = match self.queues.get_mut(&spec.executor) {
            Some(queue) => queue,
            None => self.queues.entry(spec.executor.clone()).or_default(),
        };
        match queue.lines.get_mut(&tenant) {
            Some((_, line)) => {
                line.insert(key, number);
            }
            None => {
                queue.turns.insert(self.next_turn, tenant.clone());
                queue.lines.insert(tenant, (self.next_turn, Line::from([(key, number)])));
                self.next_turn += 1;
            }
        }
    }

    fn leave(&mut self, spec: &Spec, key: &ReadyKey) {
        let tenant = self.tenant(spec);
        let Some(queue) = self.queues.get_mut(&spec.executor) else { return };
        let Some((turn, line)) = queue.lines.get_mut(&tenant) else { return };
        line.remove(key);
        if line.is_empty() && self.order == Order::TenantRing {
            queue.turns.remove(turn);
            queue.lines.remove(&tenant);
        }
    }
}

impl Queue {
    fn head(&self) -> Option<Head> {
        let (turn, tenant) = self.turns.first_key_value()?;
        let (_, line) = self.lines.get(tenant)?;
        let (key, &number) = line.first_key_value()?;
        // With one line for all, turns say nothing; only the ring compares by them.
        let turn = if self.lines.len() == 1 && tenant.is_none() { 0 } else { *turn };
        Some((turn, key.clone(), number))
    }
}
