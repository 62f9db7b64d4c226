//! What each action does. An action that is not possible is skipped and changes nothing.

use super::action::{Action, Deed, Fate, MessageId, Reading};
use super::fact::Fact;
use super::fault::Fault;
use super::message::{Body, Origin};
use super::node::Node;
use super::participants::ServiceNode;
use super::planted::Crashed;
use super::task::Twist;
use super::world::JobsWorld;
use holdover::{Applied, Mark, Observer};
use holdover_jobs::rules::{ClaimGate, Floor};
use holdover_jobs::worker::{Act, Phase, WorkerEvent};
use holdover_jobs::{
    Command, Holder, JobError, JobId, JobResult, LeaseOperation, LeaseRequest, LeaseToken, ServiceInput,
    ServiceRequest, Stamp,
};
use holdover_machine::Span;
use serde_json::{Value, json};
use std::sync::Arc;

type Done = Option<()>;

impl JobsWorld {
    /// Carries an action out.
    pub(super) fn carry_out(&mut self, step: u32, action: &Action, observer: &mut Observer) -> Applied {
        self.step = step;
        self.sent = 0;
        let done = match *action {
            Action::Advance { ms } => self.advance(ms, observer),
            Action::Create { client, service, job, twist, fate } => {
                self.create(client, service, job, twist, fate, observer)
            }
            Action::Cancel { client, service, job, fate } => {
                let cancel =
                    |job| ServiceRequest::Cancel { job: Some(job), reason: "no longer wanted".into() };
                self.ask(client, service, job, cancel, fate, observer)
            }
            Action::Read { client, service, job, reading, fate } => {
                self.ask(client, service, job, |job| read(job, reading), fate, observer)
            }
            Action::Claim { worker, slot, service, fate } => {
                self.claim(worker, slot, service, fate, observer)
            }
            Action::Work { worker, slot, service, deed, stalled, fate } => {
                self.work(worker, slot, service, deed, stalled, fate, observer)
            }
            Action::Intrude { service, job, deed } => self.intrude(service, job, deed, observer),
            Action::Sweep { sweeper, limit, fate } => self.sweep(sweeper, limit, fate, observer),
            Action::Deliver { message, fate } => self.deliver(message, fate, observer),
            Action::Drop { message } => self.drop_message(message, observer),
            Action::Crash { node } => self.crash(node, observer),
            Action::Restart { node } => self.restart(node, observer),
            Action::Pause { worker } => self.pause(worker, observer),
            Action::Resume { worker } => self.resume(worker, observer),
            Action::Step { node, ms } => self.step_clock(node, ms, observer),
            Action::Freeze { node } => self.freeze(node, observer),
            Action::Cut { from, to } => self.cut(from, to, observer),
            Action::Mend => (!self.cuts.is_empty()).then(|| self.cuts.clear()),
            Action::Switch { open } => self.switch(open, observer),
            Action::Heal => {
                self.heal_all(observer);
                Some(())
            }
        };
        if done.is_some() { Applied::Done } else { Applied::Skipped }
    }

    /// Time passes, at most an hour in one action.
    fn advance(&mut self, ms: i64, observer: &mut Observer) -> Done {
        (1..=3_600_000).contains(&ms).then(|| self.pass(ms, observer))
    }

    /// Time passes; what workers believe may change with it, and messages that are too old are lost.
    pub(super) fn pass(&mut self, ms: i64, observer: &mut Observer) {
        self.measure_overlap(ms, observer);
        self.now = self.now + Span::from_ms(ms);
        let (now, delay) = (self.now, self.setup.config.promise.delay);
        let before = self.bag.len();
        self.bag.retain(|message| now - message.sent_at <= delay);
        for _ in self.bag.len()..before {
            observer.fault(Fault::Overdue as usize);
        }
        observer.event(ms as u64);
    }

    fn create(
        &mut self,
        client: u8,
        service: u8,
        job: u8,
        twist: Twist,
        fate: Fate,
        observer: &mut Observer,
    ) -> Done {
        if client >= self.setup.config.clients || !self.setup.config.job_numbers().contains(&job) {
            return None;
        }
        let tasks = Arc::clone(&self.setup.tasks);
        // A request that the service refuses before it asks the store is answered on the spot.
        let Ok(request) = &tasks.get(job, twist)?.request else { return Some(()) };
        let origin = self.origin(
            Node::Client(client),
            ServiceRequest::Create(Arc::clone(request)),
            Some((job, twist)),
        );
        self.request(service, origin, fate, observer)
    }

    fn ask(
        &mut self,
        client: u8,
        service: u8,
        job: u8,
        request: impl FnOnce(JobId) -> ServiceRequest,
        fate: Fate,
        observer: &mut Observer,
    ) -> Done {
        if client >= self.setup.config.clients || !self.setup.config.job_numbers().contains(&job) {
            return None;
        }
        let id = self.setup.tasks.get(job, Twist::Plain)?.job.clone();
        let origin = self.origin(Node::Client(client), request(id), None);
        self.request(service, origin, fate, observer)
    }

    fn origin(&self, from: Node, request: ServiceRequest, task: Option<(u8, Twist)>) -> Origin {
        Origin {
            from,
            life: 1,
            call: u64::from(self.step),
            slot: 0,
            request: Arc::new(request),
            task,
            sent_at: self.now,
        }
    }

    fn request(&mut self, service: u8, origin: Origin, fate: Fate, observer: &mut Observer) -> Done {
        if service >= self.setup.config.services {
            return None;
        }
        self.send(origin.from, Node::Service(service), Body::Request(Arc::new(origin)));
        self.run(fate, observer);
        Some(())
    }

    fn may_act(&self, worker: u8, slot: u8, service: u8) -> Done {
        let place = self.workers.get(usize::from(worker))?;
        let able = place.is_up()
            && !place.paused
            && slot < self.setup.config.slots
            && service < self.setup.config.services;
        able.then_some(())
    }

    fn claim(&mut self, worker: u8, slot: u8, service: u8, fate: Fate, observer: &mut Observer) -> Done {
        self.may_act(worker, slot, service)?;
        let machine = &self.workers[usize::from(worker)].machine;
        let slot = usize::from(slot);
        if machine.hands()[slot].is_some() || machine.claiming().is_some_and(|claiming| claiming != slot) {
            return None;
        }
        self.target = Node::Service(service);
        let token = LeaseToken::new(&format!("lease-{}", self.step)).expect("a safe identifier");
        self.worker_handles(worker, WorkerEvent::Claim { slot, token }, false, observer);
        self.run(fate, observer);
        Some(())
    }

    #[expect(clippy::too_many_arguments, reason = "the members of one action")]
    fn work(
        &mut self,
        worker: u8,
        slot: u8,
        service: u8,
        deed: Deed,
        stalled: bool,
        fate: Fate,
        observer: &mut Observer,
    ) -> Done {
        self.may_act(worker, slot, service)?;
        let place = &self.workers[usize::from(worker)];
        let hand = place.machine.hands()[usize::from(slot)].as_ref()?;
        let fits = match deed {
            Deed::Start => hand.phase == Phase::Granted,
            Deed::Touch => hand.phase == Phase::Running,
            Deed::Acknowledge => hand.cancel_requested,
            Deed::Resend => hand.phase == Phase::Settling,
            _ => hand.phase != Phase::Settling,
        };
        if !fits {
            return None;
        }
        let late = !hand.believes(place.wall.read(self.now), place.own_time(self.now));
        if stalled && late {
            observer.fault(Fault::Stall as usize);
        }
        self.target = Node::Service(service);
        let act = act(deed, worker);
        self.worker_handles(
            worker,
            WorkerEvent::Act { slot: usize::from(slot), act, stalled },
            stalled && late,
            observer,
        );
        self.run(fate, observer);
        self.show_beliefs(observer);
        Some(())
    }

    /// A stranger has the attempt number, which is no secret, and a token if it was shown one.
    fn intrude(&mut self, service: u8, job: u8, deed: Deed, observer: &mut Observer) -> Done {
        let known = self.setup.config.job_numbers().contains(&job);
        let id = &self.setup.tasks.get(job, Twist::Plain).filter(|_| known)?.job;
        let attempt = self.table.record(id)?.attempts;
        let guess = || LeaseToken::new("a-guess").expect("a safe identifier");
        let token = self.leaked.get(id).cloned().unwrap_or_else(guess);
        let operation = match act(deed, u8::MAX) {
            Act::Start => LeaseOperation::Start,
            Act::Heartbeat => LeaseOperation::Heartbeat { lease: self.setup.config.promise.lease },
            Act::Complete { result } => LeaseOperation::Complete { result },
            Act::Fail { error, delay } => LeaseOperation::Fail { error, delay },
            _ => return None,
        };
        let holder = Holder { token, attempt: Some(attempt), incarnation: None };
        let lease = LeaseRequest { job: id.clone(), holder, operation, echo: None };
        let origin = self.origin(Node::Stranger, ServiceRequest::Lease(Box::new(lease)), None);
        self.request(service, origin, Fate::Prompt, observer)
    }

    pub(super) fn sweep(&mut self, sweeper: u8, limit: u8, fate: Fate, observer: &mut Observer) -> Done {
        let node = Node::Sweeper(sweeper);
        let (now, period) = (self.now, self.setup.config.promise.sweep);
        let origin = self.origin(node, ServiceRequest::Recover { limit: u32::from(limit).max(1) }, None);
        let place = self.service_mut(node).filter(|place| place.down_since.is_none())?;
        if now - place.swept_at > period {
            observer.fault(Fault::LateTimer as usize);
        }
        place.swept_at = now;
        let flight = place.next_flight;
        place.next_flight += 1;
        let request = (*origin.request).clone();
        place.flights.insert(flight, Arc::new(origin));
        self.service_handles(node, ServiceInput::Request(flight, request), observer);
        self.run(fate, observer);
        Some(())
    }

    fn deliver(&mut self, id: MessageId, fate: Fate, observer: &mut Observer) -> Done {
        let place = self.bag.iter().position(|message| message.id == id)?;
        if let Node::Worker(worker) = self.bag[place].to
            && self.workers.get(usize::from(worker)).is_some_and(|worker| worker.paused)
        {
            return None;
        }
        let message = self.bag.remove(place);
        if message.copy {
            observer.fault(Fault::Duplicate as usize);
        }
        if self.now > message.sent_at {
            observer.fault(Fault::Delay as usize);
        }
        if self.bag.iter().any(|other| other.to == message.to && other.id < message.id) {
            observer.fault(Fault::Reorder as usize);
        }
        self.tell(observer, message.to, Mark::Fault, || {
            format!("{} arrives", super::story::message(&message))
        });
        self.arrive_late(message, fate, observer);
        Some(())
    }

    fn drop_message(&mut self, id: MessageId, observer: &mut Observer) -> Done {
        let place = self.bag.iter().position(|message| message.id == id)?;
        let message = self.bag.remove(place);
        observer.fault(Fault::Loss as usize);
        self.tell(observer, message.from, Mark::Fault, || {
            format!("{} is lost", super::story::message(&message))
        });
        Some(())
    }

    fn crash(&mut self, node: Node, observer: &mut Observer) -> Done {
        let now = self.now;
        match node {
            Node::Worker(index) => {
                let place = self.workers.get_mut(usize::from(index)).filter(|place| place.is_up())?;
                if place.machine.claiming().is_some() || place.machine.hands().iter().any(Option::is_some) {
                    observer.fault(Fault::WorkerCrash as usize);
                }
                let reborn = self.setup.flaw(|flaw| flaw.incarnation);
                place.crash(now, |incarnation| reborn.map_or(incarnation, |reborn| reborn(incarnation)));
            }
            Node::Store => {
                let before = self.bag.len();
                self.bag.retain(|message| message.to != Node::Store && message.from != Node::Store);
                if self.bag.len() < before {
                    observer.fault(Fault::StoreCrash as usize);
                }
            }
            _ => {
                let place = self.service_mut(node).filter(|place| place.down_since.is_none())?;
                if !place.flights.is_empty() {
                    observer.fault(Fault::ServiceCrash as usize);
                }
                place.crash(now);
            }
        }
        if let Some(loses) = self.setup.flaw(|flaw| flaw.crash) {
            let (table, memory) = (&mut self.table, &mut self.memory);
            loses(node, &mut Crashed { table, memory, last_change: self.last_change.as_ref() });
        }
        self.tell(observer, node, Mark::Fault, || "crashes".to_owned());
        Some(())
    }

    fn restart(&mut self, node: Node, observer: &mut Observer) -> Done {
        let now = self.now;
        let down_since = match node {
            Node::Worker(index) => self.workers.get_mut(usize::from(index))?.down_since.take(),
            _ => self.service_mut(node)?.down_since.take(),
        }?;
        if now > down_since {
            observer.fault(Fault::Restart as usize);
            if matches!(node, Node::Sweeper(_)) {
                observer.fault(Fault::SweeperCrash as usize);
            }
        }
        self.tell(observer, node, Mark::Fault, || "restarts".to_owned());
        Some(())
    }

    fn pause(&mut self, worker: u8, observer: &mut Observer) -> Done {
        let place =
            self.workers.get_mut(usize::from(worker)).filter(|place| place.is_up() && !place.paused)?;
        place.paused = true;
        self.tell(observer, Node::Worker(worker), Mark::Fault, || "stands still".to_owned());
        Some(())
    }

    fn resume(&mut self, worker: u8, observer: &mut Observer) -> Done {
        let place = self.workers.get_mut(usize::from(worker)).filter(|place| place.paused)?;
        place.paused = false;
        self.tell(observer, Node::Worker(worker), Mark::Fault, || "goes on".to_owned());
        Some(())
    }

    fn step_clock(&mut self, node: Node, ms: i64, observer: &mut Observer) -> Done {
        let now = self.now;
        match node {
            Node::Store => self.step_store_clock(ms)?,
            Node::Worker(index) => {
                self.workers.get_mut(usize::from(index))?.wall.step(now, ms).then_some(())?
            }
            _ => self.service_mut(node)?.wall.step(now, ms).then_some(())?,
        }
        self.spent.stepped = self.spent.stepped.saturating_add(1);
        self.tell(observer, node, Mark::Fault, || format!("clock steps by {ms} ms"));
        self.show_beliefs(observer);
        Some(())
    }

    pub(super) fn step_store_clock(&mut self, ms: i64) -> Done {
        let (truth, most) = (self.store_truth(), self.setup.config.store_error_max().ms());
        let reading = self.store_time().ms();
        let stepped = reading.saturating_add(ms).clamp(truth - most, truth + most);
        self.store_clock.set(self.now, stepped);
        self.store_stepped = stepped - reading;
        (stepped != reading).then_some(())
    }

    fn freeze(&mut self, node: Node, observer: &mut Observer) -> Done {
        let now = self.now;
        match node {
            Node::Worker(index) => self.workers.get_mut(usize::from(index))?.wall.toggle(now),
            _ => self.service_mut(node)?.wall.toggle(now),
        }
        self.tell(observer, node, Mark::Fault, || "clock stands still, or goes on".to_owned());
        Some(())
    }

    fn cut(&mut self, from: Node, to: Node, observer: &mut Observer) -> Done {
        if from == to || self.cuts.len() >= 4 || self.cuts.contains(&(from, to)) {
            return None;
        }
        self.cuts.push((from, to));
        self.tell(observer, from, Mark::Fault, || format!("link to {to} loses everything"));
        Some(())
    }

    /// The operator reaches every service, and the store where it keeps the switch.
    pub(super) fn switch(&mut self, open: bool, observer: &mut Observer) -> Done {
        if self.switch_open == open {
            return None;
        }
        self.switch_open = open;
        for place in &mut self.services {
            set_execution(place, open);
        }
        if self.setup.policy.rules.claim_gate == ClaimGate::Asked {
            let call =
                holdover_jobs::Call { stamp: Stamp::Store(Floor::Absent), command: Command::Switch { open } };
            let origin = self.origin(Node::Operator, ServiceRequest::Switch { open }, None);
            self.execute(&origin, (Node::Operator, &call, None), observer);
        }
        self.tell(observer, Node::Operator, Mark::Plain, || {
            if open { "switches the handing out on" } else { "switches the handing out off" }.to_owned()
        });
        self.show(&Fact::Switched { open }, observer);
        Some(())
    }
}

fn set_execution(place: &mut ServiceNode, open: bool) {
    let mut policy = (**place.machine.policy()).clone();
    policy.settings.execution_enabled = open;
    place.machine.reconfigure(Arc::new(policy));
}

fn read(job: JobId, reading: Reading) -> ServiceRequest {
    match reading {
        Reading::Job => ServiceRequest::Get { job: Some(job), include_request: false },
        Reading::Stored => ServiceRequest::Get { job: Some(job), include_request: true },
        Reading::Events => ServiceRequest::Events { job: Some(job), after: 0.0, limit: 500 },
        Reading::Stats => ServiceRequest::Stats,
    }
}

/// What a deed is for a worker; each worker reports results and errors of its own.
pub(super) fn act(deed: Deed, worker: u8) -> Act {
    let error = |retryable| {
        let error =
            json!({ "code": "BUILD_BROKE", "message": format!("seen by w{worker}"), "retryable": retryable });
        Arc::new(JobError::read(Some(&error)).expect("a valid error"))
    };
    match deed {
        Deed::Start => Act::Start,
        Deed::Heartbeat => Act::Heartbeat,
        Deed::Progress => Act::Progress { kind: "executor_job_progress".into(), data: Arc::new(Value::Null) },
        Deed::Lie => Act::Progress { kind: "executor_job_succeeded".into(), data: Arc::new(Value::Null) },
        Deed::Touch => Act::Touch,
        Deed::Complete => {
            let result = json!({ "summary": format!("by w{worker}") });
            Act::Complete { result: Arc::new(JobResult::read(Some(&result)).expect("a valid result")) }
        }
        Deed::Fail { delay } => Act::Fail { error: error(true), delay: Span::from_ms(i64::from(delay)) },
        Deed::GiveUp => Act::Fail { error: error(false), delay: Span::ZERO },
        Deed::Acknowledge => Act::Acknowledge,
        Deed::Resend => Act::Resend,
    }
}
