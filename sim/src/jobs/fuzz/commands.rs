use super::bytes::Bytes;
use super::outcome::Outcome;
use crate::jobs::action::Deed;
use crate::jobs::apply::act;
use crate::jobs::message::Origin;
use crate::jobs::node::Node;
use crate::jobs::participants::truth;
use crate::jobs::task::Twist;
use crate::jobs::{Config, Jobs, JobsWorld, Promise, Variant};
use holdover::{Observer, Scenario};
use holdover_jobs::worker::Act;
use holdover_jobs::{
    Announcement, Answer, Answered, ClaimRequest, Holder, JobId, LeaseOperation, LeaseRequest, LeaseToken,
    ServiceEffect, ServiceInput, ServiceRequest, Status,
};
use holdover_machine::{Machine, Outcome as Stored, Span, Timestamp, WorldTime};
use std::sync::Arc;

const WORKERS: usize = 3;
const JOBS: u8 = 16;
/// The most operations of an input, so that no input is slow.
const OPERATIONS_MAX: usize = 32;

/// Commands on the table of a variant, one after the other: no network and no worker's machine comes between, so
/// that the bytes say everything about who asks for what, with which token, and when. All invariants watch that
/// look at calls and answers.
pub fn fuzz_commands(variant: &Variant, bytes: &[u8]) -> Outcome {
    let mut bytes = Bytes::new(bytes);
    let mut desk = Desk::new(variant, bytes.below(4));
    for _ in 0..OPERATIONS_MAX {
        let Some(kind) = bytes.next() else { break };
        desk.operate(kind, &mut bytes);
        if !desk.world.violations.is_empty() {
            break;
        }
    }
    Outcome::of(desk.applied, &desk.world.violations)
}

/// A world whose service is asked directly, and what the askers know.
struct Desk {
    world: JobsWorld,
    observer: Observer,
    claims: [Claims; WORKERS],
    /// Every grant, the last one of a job being the current one if there is any.
    grants: Vec<Grant>,
    applied: u32,
}

/// The claims of a worker process.
#[derive(Default)]
struct Claims {
    number: u64,
    sent_at: WorldTime,
}

/// What a worker was granted: it may use it for as long as it likes, whether or not it still holds it.
struct Grant {
    worker: u8,
    life: u32,
    /// The job's creation number.
    number: u32,
    attempt: u32,
    holder: Holder,
}

impl Desk {
    fn new(variant: &Variant, limit: u8) -> Self {
        Self {
            world: Jobs.world(variant, &config(limit)),
            observer: Observer::without_digest(),
            claims: Default::default(),
            grants: Vec::new(),
            applied: 0,
        }
    }

    fn operate(&mut self, kind: u8, bytes: &mut Bytes<'_>) {
        self.world.step += 1;
        match kind % 32 {
            0..=5 => self.create(bytes),
            6..=12 => self.claim(bytes),
            13..=23 => self.work(bytes),
            24..=25 => self.wait(bytes),
            26 => self.cancel(bytes),
            27 => {
                let limit = bytes.pick([1, 2, 10]);
                self.ask(Node::Sweeper(0), ServiceRequest::Recover { limit }, None);
            }
            28 => self.read(bytes),
            29 => self.restart(usize::from(bytes.below(WORKERS as u8))),
            30 => self.intrude(bytes),
            _ => self.disturb(bytes),
        }
    }

    /// Sends a request through the service to the table, as if nothing else happened meanwhile.
    fn ask(&mut self, from: Node, request: ServiceRequest, task: Option<(u8, Twist)>) -> Option<Answered> {
        self.ask_as(1, from, request, task)
    }

    fn ask_as(
        &mut self,
        life: u32,
        from: Node,
        request: ServiceRequest,
        task: Option<(u8, Twist)>,
    ) -> Option<Answered> {
        let (call, sent_at, request) = (u64::from(self.world.step), self.world.now, Arc::new(request));
        let origin = Origin { from, life, call, slot: 0, request, task, sent_at };
        let mut input = ServiceInput::Request(call, (*origin.request).clone());
        let mut changed = false;
        let mut effects = Vec::with_capacity(1);
        loop {
            let service = self.world.services.first_mut()?;
            service.machine.handle(Timestamp::from_ms(truth(sent_at)), input, &mut effects);
            match effects.pop()? {
                ServiceEffect::Store(flight, call) => {
                    let setup = Arc::clone(&self.world.setup);
                    let seen = setup.flaw(|flaw| flaw.read).and_then(|read| read(&self.world.table, &call));
                    // A sweeper is a service of its own.
                    let server = if matches!(from, Node::Sweeper(_)) { from } else { Node::Service(0) };
                    let caller = (server, &call, seen);
                    let mut reply = self.world.execute(&origin, caller, &mut self.observer);
                    changed |= !self.world.table.touched().is_empty();
                    if let Some(misread) = setup.flaw(|flaw| flaw.told) {
                        misread(&call, &mut reply);
                    }
                    input = ServiceInput::Stored(flight, Stored::Ok(reply));
                }
                ServiceEffect::Answer(_, answer) => {
                    self.world.answered(&origin, &answer, &mut self.observer);
                    self.applied += u32::from(changed);
                    return Some(answer);
                }
                ServiceEffect::Admit(..) => return None,
            }
        }
    }

    fn create(&mut self, bytes: &mut Bytes<'_>) {
        let (byte, created) = (bytes.byte(), self.world.table.records().count());
        // Most creates are plain ones of the next job, so that there is something to hand out.
        let (job, twist) = match byte % 4 {
            // Bits of their own for job and twist, so that every twist meets every other at the same job.
            3 => ((byte >> 2) % 8, Twist::ALL[usize::from(byte >> 5) % Twist::ALL.len()]),
            _ => (created as u8 % JOBS, Twist::Plain),
        };
        let tasks = Arc::clone(&self.world.setup.tasks);
        if let Some(Ok(request)) = tasks.get(job, twist).map(|task| &task.request) {
            let request = ServiceRequest::Create(Arc::clone(request));
            self.ask(Node::Client(byte % 2), request, Some((job, twist)));
        }
    }

    /// A worker asks for a job; it repeats its last claim, or an earlier one is late, while a claim may be repeated.
    fn claim(&mut self, bytes: &mut Bytes<'_>) {
        let byte = bytes.byte();
        let (worker, again) = (self.worker(byte), byte % 16);
        let place = usize::from(worker);
        let now = self.world.now;
        let claims = &mut self.claims[place];
        let recent = now - claims.sent_at <= self.world.setup.config.promise.claim_retry;
        let number = match again {
            14 if recent && claims.number > 0 => claims.number,
            15 if recent && claims.number > 1 => claims.number - 1,
            _ => {
                *claims = Claims { number: claims.number + 1, sent_at: now };
                claims.number
            }
        };
        let life = self.world.workers[place].life;
        let request = self.claim_request(place, number);
        let incarnation = request.incarnation;
        let answer = self.ask_as(life, Node::Worker(worker), ServiceRequest::Claim(Box::new(request)), None);
        if let Some(Ok(Answer::Claim(Some(view)))) = answer {
            let (number, attempt) = (view.job.record.number, view.standing.attempt);
            let holder = Holder { token: view.token.clone(), attempt: Some(attempt), incarnation };
            self.grants.push(Grant { worker, life, number, attempt, holder });
        }
    }

    fn claim_request(&self, place: usize, number: u64) -> ClaimRequest {
        let worker = &self.world.workers[place];
        let (settings, life) = (&worker.settings, worker.life);
        let token = LeaseToken::new(&format!("lease-{place}-{life}-{number}"));
        ClaimRequest {
            worker: settings.worker.clone(),
            incarnation: Some(worker.machine.incarnation()),
            number: Some(number),
            held_max: Some(settings.slots),
            executors: Arc::clone(&settings.executors),
            announcement: Announcement {
                worker: settings.worker.clone(),
                health: Arc::default(),
                draining: false,
            },
            lease: settings.lease,
            token: token.expect("a safe identifier"),
            echo: None,
        }
    }

    /// Whether a grant is still the current one of its job.
    fn holds(&self, grant: &Grant) -> bool {
        let lease = self.world.table.job(grant.number).and_then(|(record, _)| record.lease.as_ref());
        lease.is_some_and(|lease| lease.attempt == grant.attempt)
    }

    /// A grant: mostly one that is still held, sometimes one of the last few.
    fn grant(&self, byte: u8) -> Option<usize> {
        let choice = usize::from(byte % 16);
        let held = || (0..self.grants.len()).filter(|&place| self.holds(&self.grants[place]));
        let current = choice.checked_rem(held().count()).and_then(|choice| held().nth(choice));
        let any = || self.grants.len().checked_sub(1 + choice / 4);
        if choice < 12 { current.or_else(any) } else { any() }
    }

    /// A worker: mostly the next one that holds nothing.
    fn worker(&self, byte: u8) -> u8 {
        let workers = WORKERS as u8;
        let busy = |worker: u8| self.grants.iter().any(|grant| grant.worker == worker && self.holds(grant));
        let idle = (0..workers).map(|step| (byte % workers + step) % workers).find(|&worker| !busy(worker));
        idle.filter(|_| byte >= 64).unwrap_or(byte % workers)
    }

    /// A worker operates on a job with what it was granted.
    fn work(&mut self, bytes: &mut Bytes<'_>) {
        let byte = bytes.byte();
        let Some(place) = self.grant(byte) else { return };
        let grant = &self.grants[place];
        let Some((record, _)) = self.world.table.job(grant.number) else { return };
        // What comes next most often: a start where there was none yet.
        let deed = if byte >= 96 && record.status == Status::Leased { Deed::Start } else { deed(bytes) };
        let (worker, life) = (grant.worker, grant.life);
        let lease = self.world.setup.config.promise.lease;
        let Some(operation) = operation(deed, worker, lease) else { return };
        let (job, holder) = (record.id().clone(), grant.holder.clone());
        let request = LeaseRequest { job, holder, operation, echo: None };
        self.ask_as(life, Node::Worker(worker), ServiceRequest::Lease(Box::new(request)), None);
    }

    /// Time passes: a round while, or until about something ends or is due.
    fn wait(&mut self, bytes: &mut Bytes<'_>) {
        let byte = bytes.byte();
        let ms = if byte < 128 {
            [1, 100, 500, 1_000, 2_500, 5_000, 6_000, 20_000][usize::from(byte % 8)]
        } else {
            let store = self.world.store_time();
            let edges = self.world.table.records().filter_map(|record| {
                let end = record.lease.as_ref().map(|lease| lease.expires_at).or(record.next_attempt_at)?;
                Some((end - store).ms()).filter(|ms| (1..=60_000).contains(ms))
            });
            let near = [-1, 0, 1, 0][usize::from(byte % 4)];
            edges.min().map_or(1, |edge| (edge + near).max(1))
        };
        self.world.pass(ms, &mut self.observer);
    }

    fn job_id(&self, job: u8) -> Option<JobId> {
        self.world.setup.tasks.get(job, Twist::Plain).map(|task| task.job.clone())
    }

    fn cancel(&mut self, bytes: &mut Bytes<'_>) {
        let job = self.job_id(bytes.below(JOBS));
        self.ask(Node::Client(0), ServiceRequest::Cancel { job, reason: "no longer wanted".into() }, None);
    }

    fn read(&mut self, bytes: &mut Bytes<'_>) {
        let job = self.job_id(bytes.below(JOBS));
        let request = match bytes.below(4) {
            0 => ServiceRequest::Get { job, include_request: false },
            1 => ServiceRequest::Get { job, include_request: true },
            2 => ServiceRequest::Events { job, after: 0.0, limit: 500 },
            _ => ServiceRequest::Stats,
        };
        self.ask(Node::Client(1), request, None);
    }

    /// A worker's process dies and another takes its place.
    fn restart(&mut self, place: usize) {
        let (now, reborn) = (self.world.now, self.world.setup.flaw(|flaw| flaw.incarnation));
        let worker = &mut self.world.workers[place];
        worker.crash(now, |incarnation| reborn.map_or(incarnation, |reborn| reborn(incarnation)));
        worker.down_since = None;
        self.claims[place] = Claims::default();
    }

    /// A stranger knows the attempt, and the token of a job that was shown to somebody.
    fn intrude(&mut self, bytes: &mut Bytes<'_>) {
        let (Some(job), deed) = (self.job_id(bytes.below(JOBS)), deed(bytes)) else { return };
        let Some(attempt) = self.world.table.record(&job).map(|record| record.attempts) else { return };
        let guess = || LeaseToken::new("a-guess").expect("a safe identifier");
        let token = self.world.leaked.get(&job).cloned().unwrap_or_else(guess);
        let lease = self.world.setup.config.promise.lease;
        let Some(operation) = operation(deed, u8::MAX, lease) else { return };
        let holder = Holder { token, attempt: Some(attempt), incarnation: None };
        let request = LeaseRequest { job, holder, operation, echo: None };
        self.ask(Node::Stranger, ServiceRequest::Lease(Box::new(request)), None);
    }

    /// The store's clock steps, within what is promised, or the operator switches the handing out.
    fn disturb(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() {
            byte if byte < 192 => {
                self.world.step_store_clock(i64::from(byte) * 5 - 480);
            }
            byte => {
                self.world.switch(byte >= 200, &mut self.observer);
            }
        }
    }
}

fn config(limit: u8) -> Config {
    let promise = Promise { tenant_active_max: 2 + u64::from(limit), ..Promise::campaign() };
    let sweep_every = promise.sweep.ms();
    Config {
        promise,
        jobs: JOBS,
        first_job: 0,
        clients: 2,
        services: 1,
        workers: WORKERS as u8,
        slots: 1 + limit / 2,
        sweepers: 0,
        fenced: true,
        service_offsets: Vec::new(),
        worker_offsets: Vec::new(),
        worker_drifts: Vec::new(),
        store_drift: 0,
        sweep_every,
        sweep_phases: Vec::new(),
        actual: None,
    }
}

fn deed(bytes: &mut Bytes<'_>) -> Deed {
    match bytes.below(16) {
        0..=1 => Deed::Start,
        2..=5 => Deed::Heartbeat,
        6..=7 => Deed::Progress,
        8 => Deed::Lie,
        9..=10 => Deed::Complete,
        11..=13 => Deed::Fail { delay: bytes.pick([0, 1_000, 3_000, 3_600_000]) },
        14 => Deed::GiveUp,
        _ => Deed::Acknowledge,
    }
}

fn operation(deed: Deed, worker: u8, lease: Span) -> Option<LeaseOperation> {
    Some(match act(deed, worker) {
        Act::Start => LeaseOperation::Start,
        Act::Heartbeat => LeaseOperation::Heartbeat { lease },
        Act::Progress { kind, data } => LeaseOperation::Progress { kind, data },
        Act::Complete { result } => LeaseOperation::Complete { result },
        Act::Fail { error, delay } => LeaseOperation::Fail { error, delay },
        Act::Acknowledge => LeaseOperation::Acknowledge,
        Act::Touch | Act::Resend => return None,
    })
}
