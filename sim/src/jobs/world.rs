//! The jobs world: clients, services, workers, sweepers and a downstream resource over one store, with a network,
//! clocks and faults between them.
//!
//! An action that starts an operation carries it through to its end at once, message by message, unless its fate
//! says that one of the messages is held, lost, doubled, or meets a store fault. So an operation without a fault
//! is one action, and a race is an operation that is held and delivered later.

use super::action::{Fate, MessageId};
use super::clock::Clock;
use super::fact::{Belief, Fact, Scene};
use super::fault::Fault;
use super::invariants::Monitors;
use super::message::{Body, Message, Origin, Touch};
use super::node::Node;
use super::participants::{ServiceNode, WALL_EPOCH_MS, WorkerNode, worker_settings};
use super::planted::{Acted, Heard, Memory};
use super::probe;
use super::resource::Resource;
use super::setup::Setup;
use super::story;
use super::transition;
use holdover::{Line, Mark, Observer, Violations};
use holdover_jobs::worker::{Phase, WorkerAnswer, WorkerEffect, WorkerEvent, WorkerInput};
use holdover_jobs::{
    Answer, Answered, JobId, LeaseToken, Record, ServiceEffect, ServiceInput, ServiceRequest, Table,
};
use holdover_machine::{Machine, WorldTime};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// How often faults have happened of which a scope allows only so many. Crashes are counted by the runs of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Spent {
    /// Messages that were doubled.
    pub(super) doubled: u8,
    /// Steps of clocks.
    pub(super) stepped: u8,
}

/// A closed system around one store. See the module's documentation.
#[derive(Debug)]
pub struct JobsWorld {
    pub(super) setup: Arc<Setup>,
    pub(super) now: WorldTime,
    pub(super) step: u32,
    pub(super) table: Table,
    pub(super) store_clock: Clock,
    pub(super) store_stepped: i64,
    pub(super) services: Vec<ServiceNode>,
    pub(super) sweepers: Vec<ServiceNode>,
    pub(super) workers: Vec<WorkerNode>,
    pub(super) resource: Resource,
    pub(super) bag: Vec<Message>,
    outbox: VecDeque<Message>,
    pub(super) cuts: Vec<(Node, Node)>,
    pub(super) switch_open: bool,
    /// Tokens that somebody was shown who does not hold the lease.
    pub(super) leaked: BTreeMap<JobId, LeaseToken>,
    /// The record before the last change of a job, for stale reads.
    pub(super) last_change: Option<(JobId, Option<Arc<Record>>)>,
    /// How often what an exploration counts has happened.
    pub(super) spent: Spent,
    /// What a planted bug remembers.
    pub(super) memory: Memory,
    /// Who watches; nobody in a bare world.
    pub(super) monitors: Option<Monitors>,
    pub(super) violations: Violations,
    /// How many messages the action has brought about so far, and what befalls one of them.
    pub(super) sent: u16,
    /// How many messages all actions have brought about.
    messages: u64,
    pub(super) fate: Fate,
    /// The service that the worker who acts now talks to.
    pub(super) target: Node,
    beliefs: Vec<Belief>,
}

holdover_machine::clone_by_member!(JobsWorld {
    setup, now, step, table, store_clock, store_stepped, services, sweepers, workers, bag, outbox, cuts, switch_open, last_change, spent, monitors, violations, sent, messages, fate, target, beliefs
} compared {
    resource, leaked, memory
});

impl JobsWorld {
    pub(super) fn new(setup: Arc<Setup>) -> Self {
        let config = &setup.config;
        let policy = &setup.policy;
        let most = config.wall_error_max().ms();
        let services = (0..config.services).map(|index| {
            let (offset, drift) = (offset(&config.service_offsets, index), config.service_drift(index));
            ServiceNode::new(policy, offset, drift, most)
        });
        let sweepers = (0..config.sweepers).map(|index| {
            let drift = config.service_drift(config.services.saturating_add(index));
            ServiceNode::new(policy, 0, drift, most)
        });
        let workers = (0..config.workers).map(|index| {
            let mut settings = worker_settings(policy, config, index);
            if let Some(change) = setup.flaw(|flaw| flaw.worker) {
                change(&mut settings);
            }
            WorkerNode::new(
                index,
                settings,
                offset(&config.worker_offsets, index),
                offset(&config.worker_drifts, index),
                most,
            )
        });
        Self {
            now: WorldTime::ZERO,
            step: 0,
            table: Table::new(policy.order()).watched(),
            store_clock: Clock::new(
                WALL_EPOCH_MS + config.store_stands_off(WorldTime::ZERO),
                config.store_drift,
            ),
            store_stepped: 0,
            services: services.collect(),
            sweepers: sweepers.collect(),
            workers: workers.collect(),
            resource: Resource::default(),
            bag: Vec::new(),
            outbox: VecDeque::new(),
            cuts: Vec::new(),
            switch_open: true,
            leaked: BTreeMap::new(),
            last_change: None,
            spent: Spent::default(),
            memory: Memory::new(),
            monitors: Some(Monitors::default()),
            violations: Violations::default(),
            sent: 0,
            messages: 0,
            fate: Fate::Prompt,
            target: Node::Service(0),
            beliefs: Vec::new(),
            setup,
        }
    }

    /// The same world with nobody who watches it.
    pub(super) fn bare(self) -> Self {
        Self { monitors: None, ..self }
    }

    /// How many messages have been sent so far.
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// Shows a fact to everybody who watches.
    pub(super) fn show(&mut self, fact: &Fact<'_>, observer: &mut Observer) {
        let Some(monitors) = &mut self.monitors else { return };
        show(
            fact,
            &Scene {
                now: self.now,
                step: self.step,
                promise: &self.setup.config.promise,
                table: &self.table,
                tasks: &self.setup.tasks,
            },
            monitors,
            &mut self.violations,
            observer,
        );
    }

    pub(super) fn tell(
        &self,
        observer: &mut Observer,
        node: Node,
        mark: Mark,
        text: impl FnOnce() -> String,
    ) {
        let (at_ms, step) = (self.now.ms(), self.step);
        observer.narrate(|| Line { at_ms, step, node: node.to_string(), text: text(), mark });
    }

    /// Sends a message; it takes its turn behind what is already under way.
    pub(super) fn send(&mut self, from: Node, to: Node, body: Body) {
        let id = MessageId(self.step, self.sent);
        self.sent = self.sent.saturating_add(1);
        self.messages += 1;
        self.outbox.push_back(Message { id, from, to, sent_at: self.now, copy: false, body });
    }

    /// Carries everything that is under way to its end, except what the action's fate catches.
    pub(super) fn run(&mut self, fate: Fate, observer: &mut Observer) {
        self.fate = fate;
        while let Some(message) = self.outbox.pop_front() {
            let place = message.id.1;
            match self.fate {
                Fate::Held(at) if at == place => {
                    self.tell(observer, message.from, Mark::Fault, || {
                        format!("{} is held", story::message(&message))
                    });
                    self.bag.push(message);
                }
                Fate::Lost(at) if at == place => {
                    observer.fault(Fault::Loss as usize);
                    self.tell(observer, message.from, Mark::Fault, || {
                        format!("{} is lost", story::message(&message))
                    });
                }
                Fate::Twice(at) if at == place => {
                    let copy = Message { copy: true, ..message.clone() };
                    self.tell(observer, message.from, Mark::Fault, || {
                        format!("{} is doubled", story::message(&message))
                    });
                    self.arrive(message, observer);
                    self.bag.push(copy);
                    self.spent.doubled = self.spent.doubled.saturating_add(1);
                }
                _ => self.arrive(message, observer),
            }
        }
        self.fate = Fate::Prompt;
    }

    /// A message that has waited arrives; `fate` befalls what it brings about.
    pub(super) fn arrive_late(&mut self, message: Message, fate: Fate, observer: &mut Observer) {
        self.fate = fate;
        self.arrive(message, observer);
        self.run(fate, observer);
    }

    /// A message comes to its receiver, or is lost on the way.
    fn arrive(&mut self, message: Message, observer: &mut Observer) {
        if self.cuts.contains(&(message.from, message.to)) {
            observer.fault(Fault::Cut as usize);
            self.tell(observer, message.from, Mark::Fault, || {
                format!("{} is lost on a cut link", story::message(&message))
            });
            return;
        }
        match message.to {
            Node::Service(_) | Node::Sweeper(_) => self.arrive_at_service(message, observer),
            Node::Worker(index) => self.arrive_at_worker(index, message, observer),
            Node::Store => self.arrive_at_store(message, observer),
            Node::Resource => self.arrive_at_resource(message, observer),
            Node::Client(_) | Node::Stranger | Node::Operator => {
                if let Body::Answer { origin, answer } = message.body {
                    self.answered(&origin, &answer, observer);
                }
            }
        }
    }

    /// A request reaches a service, or the store's reply does.
    fn arrive_at_service(&mut self, message: Message, observer: &mut Observer) {
        let Some(place) = self.service_mut(message.to) else { return };
        if place.down_since.is_some() {
            observer.fault(Fault::ServiceCrash as usize);
            return;
        }
        let input = match message.body {
            Body::Request(origin) => {
                let flight = place.next_flight;
                place.next_flight += 1;
                let request = (*origin.request).clone();
                place.flights.insert(flight, origin);
                ServiceInput::Request(flight, request)
            }
            Body::Reply { flight, outcome } => ServiceInput::Stored(flight, outcome),
            _ => return,
        };
        self.service_handles(message.to, input, observer);
    }

    pub(super) fn service_handles(&mut self, node: Node, input: ServiceInput, observer: &mut Observer) {
        let now = self.now;
        let Some(place) = self.service_mut(node) else { return };
        let time = place.wall.read(now);
        place.wall.notice(observer);
        let mut effects = Vec::with_capacity(1);
        place.machine.handle(time, input, &mut effects);
        for effect in effects {
            match effect {
                ServiceEffect::Store(flight, call) => {
                    let Some(origin) =
                        self.service_mut(node).and_then(|place| place.flights.get(&flight).cloned())
                    else {
                        continue;
                    };
                    let seen = self.setup.flaw(|flaw| flaw.read).and_then(|read| read(&self.table, &call));
                    self.send(node, Node::Store, Body::Call { flight, call: Box::new(call), origin, seen });
                }
                ServiceEffect::Answer(flight, answer) => {
                    let Some(origin) = self.service_mut(node).and_then(|place| place.flights.remove(&flight))
                    else {
                        continue;
                    };
                    // A sweeper answers to nobody but itself.
                    if origin.from == node {
                        self.answered(&origin, &answer, observer);
                    } else {
                        self.send(node, origin.from, Body::Answer { origin, answer });
                    }
                }
                // The world's admission policy is a set of limits on the store's counts.
                ServiceEffect::Admit(..) => {}
            }
        }
    }

    pub(super) fn service_mut(&mut self, node: Node) -> Option<&mut ServiceNode> {
        match node {
            Node::Service(index) => self.services.get_mut(usize::from(index)),
            Node::Sweeper(index) => self.sweepers.get_mut(usize::from(index)),
            _ => None,
        }
    }

    /// An answer reaches a worker; a paused one gets it when it goes on.
    fn arrive_at_worker(&mut self, index: u8, message: Message, observer: &mut Observer) {
        let Some(place) = self.workers.get(usize::from(index)) else { return };
        let Body::Answer { origin, answer } = &message.body else { return };
        if !place.is_up() || place.life != origin.life {
            observer.fault(Fault::WorkerCrash as usize);
            return;
        }
        if place.paused {
            observer.fault(Fault::Pause as usize);
            self.bag.push(message);
            return;
        }
        self.answered(origin, answer, observer);
        let mut answer = WorkerAnswer::of(answer);
        if let Some(mishear) = self.setup.flaw(|flaw| flaw.heard) {
            let request = match &*origin.request {
                ServiceRequest::Lease(request) => Some(&**request),
                _ => None,
            };
            let place = &self.workers[usize::from(index)];
            let (worker, own) = (&place.machine, place.own_time(self.now));
            mishear(&Heard { worker, slot: origin.slot, own, request }, &mut answer);
        }
        let what = WorkerEvent::Answered {
            call: origin.call,
            slot: origin.slot,
            request: Arc::clone(&origin.request),
            answer,
        };
        self.worker_handles(index, what, false, observer);
        self.show_beliefs(observer);
    }

    pub(super) fn worker_handles(
        &mut self,
        index: u8,
        what: WorkerEvent,
        stalled: bool,
        observer: &mut Observer,
    ) {
        let now = self.now;
        let Some(place) = self.workers.get_mut(usize::from(index)) else { return };
        place.wall.notice(observer);
        if place.drift != 0 && now > WorldTime::ZERO {
            observer.fault(Fault::Drift as usize);
        }
        let time = place.wall.read(now);
        let input = WorkerInput { own: place.own_time(now), what };
        let life = place.life;
        let mut effects = Vec::with_capacity(1);
        match self.setup.flaw(|flaw| flaw.acts) {
            None => place.machine.handle(time, input, &mut effects),
            Some(amiss) => {
                let before = place.machine.clone();
                place.machine.handle(time, input.clone(), &mut effects);
                amiss(&Acted { before: &before, after: &place.machine, input: &input }, &mut effects);
            }
        }
        for effect in effects {
            match effect {
                WorkerEffect::Send { call, slot, request } => {
                    let from = Node::Worker(index);
                    let origin = Origin { from, life, call, slot, request, task: None, sent_at: now };
                    let service = self.target;
                    self.send(from, service, Body::Request(Arc::new(origin)));
                }
                WorkerEffect::Touch { job, attempt, fence } => {
                    self.works(index, &job, attempt, stalled, observer);
                    self.send(
                        Node::Worker(index),
                        Node::Resource,
                        Body::Touch(Touch { job, attempt, fence }),
                    );
                }
            }
        }
    }

    fn works(&mut self, index: u8, job: &JobId, attempt: u32, stalled: bool, observer: &mut Observer) {
        if let Some(number) = self.table.record(job).map(|record| record.number) {
            let worker = Node::Worker(index);
            self.show(&Fact::Working { worker, job: number, attempt, stalled }, observer);
        }
    }

    fn arrive_at_resource(&mut self, message: Message, observer: &mut Observer) {
        let Body::Touch(touch) = message.body else { return };
        let accepted = self.resource.touch(&touch.job, touch.fence, self.setup.config.fenced);
        let mark = if accepted { Mark::Plain } else { Mark::Refused };
        self.tell(observer, message.from, mark, || {
            let outcome = if accepted { "taken" } else { "refused: fenced off" };
            format!("effect of {} attempt {}: {outcome}", touch.job, touch.attempt)
        });
        observer.event(u64::from(touch.attempt) << 8 | u64::from(accepted));
        // What a resource takes that compares nothing is promised to nobody.
        if !self.setup.config.fenced {
            return;
        }
        if let Some(number) = self.table.record(&touch.job).map(|record| record.number) {
            let (worker, attempt) = (message.from, touch.attempt);
            self.show(&Fact::Touched { worker, job: number, attempt, accepted }, observer);
        }
    }

    /// Somebody has got an answer.
    pub(super) fn answered(&mut self, origin: &Origin, answer: &Answered, observer: &mut Observer) {
        observer.event(match answer {
            Ok(_) => 1,
            Err(error) => u64::from(error.code().1) << 4,
        });
        observer.answer(self.step, || story::answer(origin, answer));
        let mark = if answer.is_ok() { Mark::Plain } else { Mark::Refused };
        self.tell(observer, origin.from, mark, || story::answer(origin, answer));
        if !matches!(origin.from, Node::Worker(_)) {
            self.overhear(answer);
        }
        self.show(&Fact::Answered { origin, answer }, observer);
    }

    /// Whoever is shown a token without holding the lease may use it.
    fn overhear(&mut self, answer: &Answered) {
        let job = match answer {
            Ok(Answer::Created { job, .. }) | Ok(Answer::Job(Some(job))) => job,
            _ => return,
        };
        if let Some(token) = &job.token {
            self.leaked.insert(job.record.id().clone(), token.clone());
        }
    }

    /// Shows what workers believe now.
    pub(super) fn show_beliefs(&mut self, observer: &mut Observer) {
        if self.monitors.is_none() {
            return;
        }
        let mut beliefs = std::mem::take(&mut self.beliefs);
        beliefs.clear();
        for worker in self.workers.iter().filter(|worker| worker.is_up()) {
            let (time, own) = (worker.wall.read(self.now), worker.own_time(self.now));
            for hand in worker.machine.hands().iter().flatten() {
                if hand.phase == Phase::Running
                    && hand.believes(time, own)
                    && let Some(record) = self.table.record(&hand.job)
                {
                    let (job, attempt) = (record.number, hand.attempt);
                    beliefs.push(Belief { worker: Node::Worker(worker.index), job, attempt });
                }
            }
        }
        self.show(&Fact::Believing(&beliefs), observer);
        self.beliefs = beliefs;
    }
}

/// Shows a fact to everybody who watches.
pub(super) fn show(
    fact: &Fact<'_>,
    scene: &Scene<'_>,
    monitors: &mut Monitors,
    violations: &mut Violations,
    observer: &mut Observer,
) {
    probe::count(fact, observer);
    transition::count(fact, observer);
    monitors.observe(fact, scene, violations, observer);
}

/// A node's own number out of a list; a configuration may name fewer nodes than it has.
fn offset(list: &[i64], index: u8) -> i64 {
    list.get(usize::from(index)).copied().unwrap_or(0)
}
