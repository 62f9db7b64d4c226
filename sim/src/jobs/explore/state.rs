//! All that decides what can happen from here on in a jobs world, and how it is judged. What is only shown to people
//! (texts, logs, when a job was created) is left out, and so are names that the path has given.

use super::description::Description;
use super::scope::horizon;
use super::tidy::{self, origin};
use crate::jobs::message::{Body, Message, Origin};
use crate::jobs::node::Node;
use crate::jobs::participants::{ServiceNode, WorkerNode, truth};
use crate::jobs::world::JobsWorld;
use holdover_jobs::worker::{Hand, Until, WorkerAnswer};
use holdover_jobs::{
    Call, Command, Ending, JobId, LeaseOperation, LeaseToken, Record, ServiceRequest, Stamp, Standing,
};
use holdover_machine::StoreTime;
use std::hash::Hash;

/// Describes the world under each naming of its workers, and keeps the least description.
pub(super) fn describe(world: &JobsWorld, description: &mut Vec<u8>) {
    description.reserve(USUAL_LENGTH);
    let horizon = horizon(&world.setup.config.promise);
    let spoken_for: Vec<_> = tidy::spoken_for(&world.workers, &world.bag).collect();
    let under = |names: &[u8], bytes: &mut Vec<u8>| {
        let to = Description::new(bytes, world.now.ms(), horizon, names);
        State { world, spoken_for: &spoken_for, to }.describe(names);
    };
    let mut namings = namings(world).into_iter();
    namings.next().iter().for_each(|names| under(names, description));
    let mut other = Vec::with_capacity(if namings.len() > 0 { USUAL_LENGTH } else { 0 });
    for names in namings {
        other.clear();
        under(&names, &mut other);
        if other < *description {
            std::mem::swap(description, &mut other);
        }
    }
}

/// Hardly any description has more bytes.
const USUAL_LENGTH: usize = 512;

/// Every way to name the workers. What a planted bug remembers of a worker names it, and then there is one.
fn namings(world: &JobsWorld) -> Vec<Vec<u8>> {
    let workers = world.workers.len() as u8;
    let own: Vec<u8> = (0..workers).collect();
    if !world.memory.is_empty() {
        return vec![own];
    }
    let mut namings = vec![Vec::new()];
    for _ in 0..workers {
        let longer = |naming: &Vec<u8>| -> Vec<Vec<u8>> {
            let free = own.iter().filter(|name| !naming.contains(name));
            free.map(|&name| naming.iter().copied().chain([name]).collect()).collect()
        };
        namings = namings.iter().flat_map(longer).collect();
    }
    namings
}

struct State<'a> {
    world: &'a JobsWorld,
    /// The tokens of attempts that a worker or a message still speaks for.
    spoken_for: &'a [&'a LeaseToken],
    to: Description<'a>,
}

impl State<'_> {
    fn describe(&mut self, names: &[u8]) {
        let world = self.world;
        self.to.flag(world.switch_open);
        world.spent.hash(&mut self.to);
        for service in world.services.iter().chain(&world.sweepers) {
            self.service(service);
        }
        let clock = world.store_time();
        self.to.signed(clock.ms() - truth(world.now));
        // A floor holds time back once the clock has gone back behind it, and it goes no further back than promised.
        let back = world.setup.config.promise.store_step.ms();
        self.to.ahead(world.table.floor().ms(), truth(world.now), back);
        self.to.number(world.table.records().count() as u64);
        for record in world.table.records() {
            self.record(record);
        }
        for name in 0..names.len() as u8 {
            let index = names.iter().position(|&other| other == name).expect("every name is given");
            self.worker(&world.workers[index]);
        }
        world.resource.hash(&mut self.to);
        let mut messages = Vec::with_capacity(world.bag.len());
        for message in &world.bag {
            let mark = self.to.mark();
            self.message(message);
            messages.push(self.to.cut(mark));
        }
        self.to.unordered(messages);
        world.memory.hash(&mut self.to);
        world.monitors.hash(&mut self.to);
    }

    fn service(&mut self, service: &ServiceNode) {
        let reading = service.wall.read(self.world.now).ms();
        self.to.signed(reading - truth(self.world.now));
        self.to.flag(service.wall.clock.is_frozen());
        self.to.flag(service.down_since.is_some());
        self.to.flag(service.machine.policy().settings.execution_enabled);
    }

    /// An instant of the store that is compared with now alone: once it is over, it does not matter since when. As
    /// long as clocks may go back, it may become not over again.
    fn ahead(&mut self, at: StoreTime) {
        let promise = &self.world.setup.config.promise;
        let slack = (promise.store_step + promise.offset).times(2).ms();
        self.to.ahead(at.ms(), truth(self.world.now), slack);
    }

    fn record(&mut self, record: &Record) {
        self.to.number(record.status as u64);
        for count in [record.attempts, record.charged, record.unstarted] {
            self.to.number(count.into());
        }
        self.to.flag(record.lease.is_some());
        if let Some(lease) = &record.lease {
            self.to.token(&lease.token);
            self.to.number(lease.attempt.into());
            self.ahead(lease.expires_at);
            self.to.flag(lease.deadline.is_some());
            lease.deadline.iter().for_each(|&deadline| self.ahead(deadline));
        }
        self.to.flag(record.next_attempt_at.is_some());
        record.next_attempt_at.iter().for_each(|&at| self.ahead(at));
        self.to.flag(record.cancel.is_some());
        let grace = self.world.setup.config.promise.cancel_grace();
        record.cancel.iter().for_each(|cancel| self.ahead(cancel.at + grace));
        record.completed_at.is_some().hash(&mut self.to);
        // An ended attempt only matters to whoever still speaks for it.
        for past in record.past.iter().filter(|past| self.spoken_for.contains(&&past.token)) {
            self.to.number(1 + u64::from(past.attempt));
            self.to.token(&past.token);
            self.to.number(match past.ending {
                Ending::Completed(_) => 0,
                Ending::Failed(_) => 1,
                Ending::Acknowledged => 2,
                Ending::Lost => 3,
            });
        }
        self.to.number(0);
        // Who waits longer is only asked where several wait.
        if self.world.setup.config.jobs > 1 {
            (record.ready_at, record.lease.as_ref().map(|lease| lease.expires_at)).hash(&mut self.to);
        }
    }

    fn worker(&mut self, worker: &WorkerNode) {
        self.to.flag(worker.is_up());
        self.to.flag(worker.paused);
        self.to.number(worker.life.into());
        self.to.signed(worker.wall.read(self.world.now).ms() - truth(self.world.now));
        for hand in worker.machine.hands() {
            self.to.flag(hand.is_some());
            if let Some(hand) = hand {
                self.hand(worker, hand);
            }
        }
        let claiming = worker.machine.claim_under_way();
        self.to.flag(claiming.is_some());
        if let Some(claiming) = claiming {
            claiming.slot.hash(&mut self.to);
            self.to.token(&claiming.token);
            let until = claiming.since + worker.settings.claim_retry;
            self.to.ahead(until.ms(), worker.own_time(self.world.now).ms(), 1);
            self.claim(Node::Worker(worker.index), worker.life, claiming.number);
        }
    }

    fn hand(&mut self, worker: &WorkerNode, hand: &Hand) {
        self.job(&hand.job);
        self.to.number(hand.attempt.into());
        self.to.token(&hand.token);
        self.to.number(hand.phase as u64);
        self.to.flag(hand.cancel_requested);
        match hand.until {
            Until::Own(until) => self.to.ahead(until.ms(), worker.own_time(self.world.now).ms(), 0),
            Until::Wall(until) => self.ahead(StoreTime::from_ms(until.ms())),
        }
        self.to.flag(hand.report().is_some());
        if let Some(report) = hand.report() {
            self.operation(report);
        }
    }

    /// A job by its number: names of jobs are long.
    fn job(&mut self, job: &JobId) {
        let number = self.world.table.record(job).map(|record| record.number);
        number.hash(&mut self.to);
    }

    /// A numbered claim: whether it is the last of its process, what the store remembers of that process, and
    /// what this claim was given.
    fn claim(&mut self, from: Node, life: u32, number: u64) {
        let Node::Worker(index) = from else { return };
        let worker = &self.world.workers[usize::from(index)];
        let alive = worker.life == life;
        self.to.flag(alive);
        self.to.flag(alive && worker.machine.claims() > number);
        if let Some(monitors) = &self.world.monitors {
            monitors.given((from, life, number)).hash(&mut self.to);
        }
    }

    fn operation(&mut self, operation: &LeaseOperation) {
        match operation {
            LeaseOperation::Start => self.to.number(0),
            LeaseOperation::Heartbeat { .. } => self.to.number(1),
            LeaseOperation::Progress { kind, .. } => (2_u32, kind).hash(&mut self.to),
            LeaseOperation::Complete { result } => (3_u32, &result.summary).hash(&mut self.to),
            LeaseOperation::Fail { error, delay } => (4_u32, error.retryable, delay).hash(&mut self.to),
            LeaseOperation::Acknowledge => self.to.number(5),
        }
    }

    fn message(&mut self, message: &Message) {
        (message.from, message.to, message.sent_at).hash(&mut self.to);
        if let Some(origin) = origin(message) {
            self.request(origin);
        }
        match &message.body {
            Body::Request(_) => self.to.number(0),
            Body::Call { flight, call, seen, .. } => {
                self.to.number(1);
                // The second copy of a call brings about a reply that nobody waits for.
                let asker = match message.from {
                    Node::Sweeper(index) => self.world.sweepers.get(usize::from(index)),
                    Node::Service(index) => self.world.services.get(usize::from(index)),
                    _ => None,
                };
                self.to.flag(asker.is_some_and(|asker| asker.flights.contains_key(flight)));
                self.call(call);
                let seen = seen.as_ref().map(|seen| {
                    (seen.status as u32, seen.attempts, seen.lease.as_ref().map(|lease| lease.expires_at))
                });
                seen.hash(&mut self.to);
            }
            Body::Reply { .. } => self.to.number(2),
            Body::Answer { answer, .. } => {
                self.to.number(3);
                self.answer(&WorkerAnswer::of(answer));
            }
            Body::Touch(touch) => {
                self.to.number(4);
                self.job(&touch.job);
                (touch.attempt, touch.fence).hash(&mut self.to);
            }
        }
    }

    fn request(&mut self, origin: &Origin) {
        (origin.from, origin.life, origin.slot, origin.sent_at).hash(&mut self.to);
        match &*origin.request {
            ServiceRequest::Claim(claim) => {
                self.to.number(0);
                self.to.known_token(&claim.token);
                self.claim(origin.from, origin.life, claim.number.unwrap_or(0));
            }
            ServiceRequest::Lease(lease) => {
                self.to.number(1);
                self.job(&lease.job);
                self.to.known_token(&lease.holder.token);
                lease.holder.attempt.hash(&mut self.to);
                self.operation(&lease.operation);
            }
            ServiceRequest::Recover { .. } => self.to.number(2),
            ServiceRequest::Cancel { .. } => self.to.number(3),
            _ => self.to.number(4),
        }
    }

    fn call(&mut self, call: &Call) {
        match call.stamp {
            Stamp::Caller(at) => at.hash(&mut self.to),
            Stamp::Store(floor) => self.to.number(floor as u64),
        }
        match &call.command {
            Command::Claim(claim) => {
                self.to.number(0);
                let remembered = claim.incarnation.and_then(|own| self.world.table.remembered_claim(own));
                // One that was overtaken by this claim is as good as forgotten.
                let number = claim.number.unwrap_or(0);
                let remembered = remembered
                    .filter(|last| last.number >= number)
                    .map(|last| (last.number > number, last.granted, last.used_at));
                remembered.hash(&mut self.to);
            }
            Command::Operate(_) => self.to.number(1),
            Command::Recover(recover) => {
                self.to.number(2);
                self.job(&recover.job);
                self.to.known_token(&recover.token);
            }
            Command::Cancel(cancel) => {
                self.to.number(3);
                self.job(&cancel.job);
            }
            _ => self.to.number(4),
        }
    }

    fn answer(&mut self, answer: &WorkerAnswer) {
        match answer {
            WorkerAnswer::Granted(granted) => {
                self.to.number(0);
                self.to.known_token(&granted.token);
                self.standing(&granted.standing);
            }
            WorkerAnswer::Nothing => self.to.number(1),
            WorkerAnswer::ClaimOver => self.to.number(2),
            WorkerAnswer::CarriedOut(standing) => {
                self.to.number(3);
                self.standing(standing);
            }
            WorkerAnswer::Lost => self.to.number(4),
            WorkerAnswer::OutOfTurn => self.to.number(5),
            WorkerAnswer::Unanswered => self.to.number(6),
        }
    }

    fn standing(&mut self, standing: &Standing) {
        (standing.attempt, standing.cancel_requested, standing.remaining, standing.echo).hash(&mut self.to);
        self.ahead(standing.expires_at);
    }
}
