//! Where a planted bug reaches into the world: a sound participant is told, or does, something else.

use crate::jobs::node::Node;
use holdover_jobs::worker::{Worker, WorkerAnswer, WorkerEffect, WorkerInput, WorkerSettings};
use holdover_jobs::{Call, Command, Event, Incarnation, JobId, LeaseRequest, Policy, Record, Reply, Table};
use holdover_machine::{OwnTime, StoreTime};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a service reads of the store when it sends a call.
type Read = fn(&Table, &Call) -> Option<Arc<Record>>;

/// What is wrong, at one or more seams. Every seam that a bug does not name stays sound.
#[derive(Debug, Clone, Copy)]
pub(in crate::jobs) struct Flaw {
    /// A service that is set up otherwise.
    pub(in crate::jobs) policy: Option<fn(&mut Policy)>,
    /// A worker that is set up otherwise.
    pub(in crate::jobs) worker: Option<fn(&mut WorkerSettings)>,
    /// What a service reads when it sends a call, and its store goes by when the call arrives.
    pub(in crate::jobs) read: Option<Read>,
    /// A store that does something else.
    pub(in crate::jobs) store: Option<fn(&mut Flawed<'_>) -> Reply>,
    /// A store or a service that loses something when it crashes.
    pub(in crate::jobs) crash: Option<fn(Node, &mut Crashed<'_>)>,
    /// A service that understands a reply otherwise.
    pub(in crate::jobs) told: Option<fn(&Call, &mut Reply)>,
    /// A worker that understands the answer to a lease operation otherwise.
    pub(in crate::jobs) heard: Option<fn(&Heard<'_>, &mut WorkerAnswer)>,
    /// A worker that does more or less than it should.
    pub(in crate::jobs) acts: Option<fn(&Acted<'_>, &mut Vec<WorkerEffect>)>,
    /// A worker process that names its runs otherwise.
    pub(in crate::jobs) incarnation: Option<fn(Incarnation) -> Incarnation>,
}

impl Flaw {
    /// Nothing is wrong.
    pub(super) const NONE: Self = Self {
        policy: None,
        worker: None,
        read: None,
        store: None,
        crash: None,
        told: None,
        heard: None,
        acts: None,
        incarnation: None,
    };

    pub(super) const fn policy(change: fn(&mut Policy)) -> Self {
        Self { policy: Some(change), ..Self::NONE }
    }

    pub(super) const fn worker(change: fn(&mut WorkerSettings)) -> Self {
        Self { worker: Some(change), ..Self::NONE }
    }

    pub(super) const fn store(amiss: fn(&mut Flawed<'_>) -> Reply) -> Self {
        Self { store: Some(amiss), ..Self::NONE }
    }

    pub(super) const fn told(misread: fn(&Call, &mut Reply)) -> Self {
        Self { told: Some(misread), ..Self::NONE }
    }

    pub(super) const fn heard(mishear: fn(&Heard<'_>, &mut WorkerAnswer)) -> Self {
        Self { heard: Some(mishear), ..Self::NONE }
    }

    pub(super) const fn acts(amiss: fn(&Acted<'_>, &mut Vec<WorkerEffect>)) -> Self {
        Self { acts: Some(amiss), ..Self::NONE }
    }
}

/// What a flawed store, or the flawed code before it, remembers of each job or of each worker, by its number.
pub(in crate::jobs) type Memory = BTreeMap<u64, i64>;

/// A call in front of a flawed store.
pub(in crate::jobs) struct Flawed<'a> {
    pub(super) table: &'a mut Table,
    pub(super) memory: &'a mut Memory,
    /// The store's clock.
    pub(super) clock: StoreTime,
    /// The wall clock of the service that calls.
    pub(super) caller: StoreTime,
    pub(super) call: &'a Call,
    /// What the service read when it sent the call.
    pub(super) seen: Option<Arc<Record>>,
    pub(super) from: Node,
}

impl<'a> Flawed<'a> {
    pub(in crate::jobs) fn new(
        (table, memory): (&'a mut Table, &'a mut Memory),
        (clock, caller): (StoreTime, StoreTime),
        (from, call): (Node, &'a Call),
        seen: Option<Arc<Record>>,
    ) -> Self {
        Self { table, memory, clock, caller, call, seen, from }
    }

    /// What a sound store does.
    pub(super) fn sound(&mut self) -> Reply {
        self.table.execute(self.clock, self.call)
    }

    /// Another command, under the same stamp.
    pub(super) fn command(&mut self, command: Command) -> Reply {
        let call = Call { stamp: self.call.stamp, command };
        self.table.execute(self.clock, &call)
    }

    /// The time that the call will be judged by.
    pub(super) fn now(&mut self) -> StoreTime {
        let nobody = JobId::new("nobody").expect("a safe identifier");
        self.command(Command::Load(nobody));
        self.table.judged_at()
    }

    /// Changes a job past all rules.
    pub(super) fn amend(&mut self, record: &Record, change: impl FnOnce(&mut Record, &mut Vec<Event>)) {
        amend(self.table, record, change);
    }
}

/// A crash under a flawed store or service.
pub(in crate::jobs) struct Crashed<'a> {
    pub(in crate::jobs) table: &'a mut Table,
    pub(in crate::jobs) memory: &'a mut Memory,
    /// The job that was changed last, as it was before.
    pub(in crate::jobs) last_change: Option<&'a (JobId, Option<Arc<Record>>)>,
}

/// Changes a job past all rules.
pub(super) fn amend(table: &mut Table, record: &Record, change: impl FnOnce(&mut Record, &mut Vec<Event>)) {
    let (mut record, mut events) = (record.clone(), table.events(record.id()).to_vec());
    change(&mut record, &mut events);
    table.restore(record, events);
}

/// An answer on its way into a worker's machine.
pub(in crate::jobs) struct Heard<'a> {
    pub(in crate::jobs) worker: &'a Worker,
    pub(in crate::jobs) slot: usize,
    /// The worker's monotonic clock.
    pub(in crate::jobs) own: OwnTime,
    /// The request that is answered, where it is one on a lease.
    pub(in crate::jobs) request: Option<&'a LeaseRequest>,
}

/// What a worker's machine has just handled.
pub(in crate::jobs) struct Acted<'a> {
    pub(in crate::jobs) before: &'a Worker,
    pub(in crate::jobs) after: &'a Worker,
    pub(in crate::jobs) input: &'a WorkerInput,
}
