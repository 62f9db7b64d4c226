//! A bench to put one invariant on: a real service over a real table, under the hardened rules. What they do is
//! shown to the invariant as it happened; a test then doctors a copy of it and shows that as well.

use super::{Findings, Invariant};
use crate::jobs::action::Deed;
use crate::jobs::apply::act;
use crate::jobs::fact::{Change, Fact, Scene};
use crate::jobs::message::Origin;
use crate::jobs::node::Node;
use crate::jobs::participants::truth;
use crate::jobs::promise::Promise;
use crate::jobs::task::{Tasks, Twist};
use crate::jobs::{Jobs, settings};
use holdover::{Observer, Scenario, Violations};
use holdover_jobs::worker::Act;
use holdover_jobs::{
    Announcement, Answer, Answered, Call, ClaimRequest, Command, Event, Holder, Incarnation, JobId, JobView,
    LeaseOperation, LeaseRequest, LeaseToken, Policy, Record, Reply, Service, ServiceEffect, ServiceInput,
    ServiceRequest, Table,
};
use holdover_machine::{Machine, Outcome, Span, StoreTime, Timestamp, WorldTime};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an invariant made of what it was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Saw {
    /// It could not have failed.
    Nothing,
    /// It could have failed, and held.
    Held,
    /// It failed, and had counted that it could.
    Fell,
}

#[derive(Clone)]
pub(super) struct Bench<I> {
    pub(super) table: Table,
    pub(super) now: WorldTime,
    pub(super) promise: Promise,
    /// The last answer, and to whom it went.
    pub(super) answer: Option<(Origin, Answered)>,
    monitor: I,
    service: Service,
    tasks: Arc<Tasks>,
    history: Vec<Executed>,
    hands: BTreeMap<u8, (JobId, Holder)>,
    claims: BTreeMap<u8, u64>,
}

/// A call that was carried out, in a form that can be doctored.
#[derive(Debug, Clone)]
pub(super) struct Executed {
    pub(super) origin: Origin,
    pub(super) call: Call,
    pub(super) reply: Reply,
    pub(super) changes: Vec<Changed>,
    pub(super) judged_at: StoreTime,
}

/// A job that the call has changed.
#[derive(Debug, Clone)]
pub(super) struct Changed {
    pub(super) before: Option<Record>,
    pub(super) after: Record,
    pub(super) log: Vec<Event>,
    /// How many events of the log came with the call.
    pub(super) new: usize,
}

impl<I: Invariant + Default> Bench<I> {
    pub(super) fn new() -> Self {
        let variant = Jobs.variant("hardened").expect("the default variant");
        let promise = Promise::campaign();
        let policy = Policy { rules: variant.rules, settings: settings(&promise) };
        Self {
            table: Table::new(policy.order()).watched(),
            now: WorldTime::from_ms(1_000),
            promise,
            answer: None,
            monitor: I::default(),
            service: Service::new(Arc::new(policy)),
            tasks: variant.tasks,
            history: Vec::new(),
            hands: BTreeMap::new(),
            claims: BTreeMap::new(),
        }
    }

    /// Shows the invariant a fact.
    pub(super) fn see(&mut self, fact: &Fact<'_>) -> Saw {
        let (mut violations, mut observer) = (Violations::default(), Observer::new());
        let scene =
            Scene { now: self.now, step: 1, promise: &self.promise, table: &self.table, tasks: &self.tasks };
        let mut findings = Findings {
            index: 0,
            info: const { &I::INFO },
            now_ms: self.now.ms(),
            step: 1,
            violations: &mut violations,
            observer: &mut observer,
        };
        self.monitor.observe(fact, &scene, &mut findings);
        match (violations.of(I::INFO.id), observer.antecedents()) {
            (None, []) => Saw::Nothing,
            (None, _) => Saw::Held,
            (Some(violation), counted) => {
                assert!(!counted.is_empty(), "{} fell without having counted that it could", I::INFO.id);
                assert!(!violation.sentence.is_empty());
                Saw::Fell
            }
        }
    }

    /// Shows the invariant a call, as it was or doctored.
    pub(super) fn see_call(&mut self, executed: &Executed) -> Saw {
        let Executed { origin, call, reply, changes, judged_at } = executed;
        let changes: Vec<Change<'_>> = changes
            .iter()
            .map(|Changed { before, after, log, new }| Change {
                before: before.as_ref(),
                after,
                events: &log[log.len() - new..],
                log,
            })
            .collect();
        self.see(&Fact::Executed { origin, call, reply, changes: &changes, judged_at: *judged_at })
    }

    /// Shows the invariant an answer, as it was or doctored.
    pub(super) fn see_answer(&mut self, origin: &Origin, answer: &Answered) -> Saw {
        self.see(&Fact::Answered { origin, answer })
    }

    /// The last call that changed a job.
    pub(super) fn changed(&self) -> Executed {
        self.last(|executed| !executed.changes.is_empty())
    }

    /// The last call of this kind.
    pub(super) fn last(&self, is: impl Fn(&Executed) -> bool) -> Executed {
        self.history.iter().rfind(|executed| is(executed)).cloned().expect("there was such a call")
    }

    /// The last answer about a job, and to whom it went.
    pub(super) fn shown(&self) -> (Origin, JobView) {
        match self.answer.clone() {
            Some((origin, Ok(Answer::Created { job, .. } | Answer::Job(Some(job))))) => (origin, job),
            other => panic!("not an answer about a job: {other:?}"),
        }
    }

    pub(super) fn wait(&mut self, ms: i64) {
        self.now = self.now + Span::from_ms(ms);
    }

    /// Sends a request through the service to the table, and shows everything that comes of it.
    pub(super) fn ask(&mut self, origin: Origin) -> Saw {
        let mut saw = Saw::Nothing;
        let mut input = ServiceInput::Request(1, (*origin.request).clone());
        loop {
            let mut effects = Vec::new();
            self.service.handle(Timestamp::from_ms(truth(self.now)), input, &mut effects);
            match effects.pop() {
                Some(ServiceEffect::Store(_, call)) => {
                    let executed = self.execute(&origin, call);
                    saw = saw.max(self.see_call(&executed));
                    input = ServiceInput::Stored(1, Outcome::Ok(executed.reply.clone()));
                    self.history.push(executed);
                }
                Some(ServiceEffect::Answer(_, answer)) => {
                    saw = saw.max(self.see_answer(&origin, &answer));
                    self.answer = Some((origin, answer));
                    return saw;
                }
                other => panic!("neither a call nor an answer: {other:?}"),
            }
        }
    }

    fn execute(&mut self, origin: &Origin, call: Call) -> Executed {
        let reply = self.table.execute(StoreTime::from_ms(truth(self.now)), &call);
        let changes = self.table.touched().iter().filter_map(|touched| {
            let (after, log) = self.table.job(touched.number)?;
            let before = touched.before.as_deref().cloned();
            let new = log.len() - touched.events;
            Some(Changed { before, after: (**after).clone(), log: log.to_vec(), new })
        });
        let (origin, judged_at) = (origin.clone(), self.table.judged_at());
        Executed { origin, reply, changes: changes.collect(), judged_at, call }
    }

    pub(super) fn origin(&self, from: Node, request: ServiceRequest) -> Origin {
        let request = Arc::new(request);
        Origin { from, life: 1, call: 0, slot: 0, request, task: None, sent_at: self.now }
    }

    /// A client creates a job.
    pub(super) fn create(&mut self, job: u8, twist: Twist) -> Saw {
        let origin = self.create_origin(job, twist);
        self.ask(origin)
    }

    pub(super) fn create_origin(&self, job: u8, twist: Twist) -> Origin {
        let task = self.tasks.get(job, twist).expect("a job of the world");
        let request = ServiceRequest::Create(Arc::clone(task.request.as_ref().expect("a valid request")));
        Origin { task: Some((job, twist)), ..self.origin(Node::Client(0), request) }
    }

    fn job_id(&self, job: u8) -> JobId {
        self.tasks.get(job, Twist::Plain).expect("a job of the world").job.clone()
    }

    /// A worker that holds one lease at most asks for a job.
    pub(super) fn claim(&mut self, worker: u8) -> Saw {
        *self.claims.entry(worker).or_default() += 1;
        self.claim_again(worker)
    }

    /// It repeats its last claim.
    pub(super) fn claim_again(&mut self, worker: u8) -> Saw {
        let number = self.claims[&worker];
        let name: holdover_jobs::Text = format!("w{worker}").into();
        let incarnation = Some(Incarnation(u64::from(worker)));
        let claim = ClaimRequest {
            announcement: Announcement { worker: name.clone(), health: Arc::new([]), draining: false },
            worker: name,
            incarnation,
            number: Some(number),
            held_max: Some(1),
            executors: Arc::new(["aider".into(), "goosed".into()]),
            lease: self.promise.lease,
            token: LeaseToken::new(&format!("lease-{worker}-{number}")).expect("a safe identifier"),
            echo: None,
        };
        let origin = self.origin(Node::Worker(worker), ServiceRequest::Claim(Box::new(claim)));
        let saw = self.ask(origin);
        if let Some((_, Ok(Answer::Claim(Some(view))))) = &self.answer {
            let attempt = Some(view.standing.attempt);
            let holder = Holder { token: view.token.clone(), attempt, incarnation };
            self.hands.insert(worker, (view.job.record.id().clone(), holder));
        }
        saw
    }

    /// The worker does something with the job that it was given last.
    pub(super) fn work(&mut self, worker: u8, deed: Deed) -> Saw {
        let (job, holder) = self.hands[&worker].clone();
        let operation = match act(deed, worker) {
            Act::Start => LeaseOperation::Start,
            Act::Heartbeat => LeaseOperation::Heartbeat { lease: self.promise.lease },
            Act::Progress { kind, data } => LeaseOperation::Progress { kind, data },
            Act::Complete { result } => LeaseOperation::Complete { result },
            Act::Fail { error, delay } => LeaseOperation::Fail { error, delay },
            Act::Acknowledge => LeaseOperation::Acknowledge,
            other => panic!("not an operation of the service: {other:?}"),
        };
        let request = ServiceRequest::Lease(Box::new(LeaseRequest { job, holder, operation, echo: None }));
        self.ask(self.origin(Node::Worker(worker), request))
    }

    /// A client creates a job, and a worker is given it and begins.
    pub(super) fn begin(&mut self, job: u8, worker: u8) -> Saw {
        let (created, claimed) = (self.create(job, Twist::Plain), self.claim(worker));
        created.max(claimed).max(self.work(worker, Deed::Start))
    }

    pub(super) fn cancel(&mut self, job: u8) -> Saw {
        let request = ServiceRequest::Cancel { job: Some(self.job_id(job)), reason: "no longer".into() };
        self.ask(self.origin(Node::Client(0), request))
    }

    pub(super) fn read(&mut self, job: u8) -> Saw {
        let request = ServiceRequest::Get { job: Some(self.job_id(job)), include_request: true };
        self.ask(self.origin(Node::Client(0), request))
    }

    pub(super) fn sweep(&mut self, limit: u32) -> Saw {
        self.ask(self.origin(Node::Sweeper(0), ServiceRequest::Recover { limit }))
    }

    pub(super) fn stats(&mut self) -> Saw {
        self.ask(self.origin(Node::Client(0), ServiceRequest::Stats))
    }

    /// The operator switches the handing out, in the service and in the store, and is told that it is done.
    pub(super) fn switch(&mut self, open: bool) -> Saw {
        let mut policy = (**self.service.policy()).clone();
        policy.settings.execution_enabled = open;
        self.service.reconfigure(Arc::new(policy));
        let saw = self.ask(self.origin(Node::Operator, ServiceRequest::Switch { open }));
        saw.max(self.see(&Fact::Switched { open }))
    }
}

/// Whether a call is of this kind, for [`Bench::last`].
pub(super) fn is_stats(executed: &Executed) -> bool {
    matches!(executed.call.command, Command::QueueStats)
}
