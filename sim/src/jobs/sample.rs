//! What may happen next, drawn without listing it: a kind by weight, then its members. What turns out to be
//! impossible is skipped.

use super::action::{Action, Deed, Fate, Reading};
use super::node::Node;
use super::task::Twist;
use super::world::JobsWorld;
use holdover::{Rng, Weights};
use holdover_jobs::worker::{Hand, Phase, Until};

/// The kinds of actions, with the weight of each in a plain mix.
const KINDS: [(Kind, u32); 29] = [
    (Kind::Wait, 60),
    (Kind::LongWait, 12),
    (Kind::LeaseWait, 16),
    (Kind::EdgeWait, 24),
    (Kind::Create, 60),
    (Kind::Twist, 12),
    (Kind::Cancel, 24),
    (Kind::Read, 8),
    (Kind::Claim, 60),
    (Kind::Work, 200),
    (Kind::Stall, 50),
    (Kind::Intrude, 6),
    (Kind::Sweep, 24),
    (Kind::Deliver, 60),
    (Kind::Drop, 6),
    (Kind::CrashWorker, 8),
    (Kind::CrashService, 3),
    (Kind::CrashSweeper, 1),
    (Kind::CrashStore, 4),
    (Kind::Restart, 14),
    (Kind::Pause, 5),
    (Kind::Resume, 10),
    (Kind::StepWall, 5),
    (Kind::StepStore, 6),
    (Kind::Freeze, 3),
    (Kind::Cut, 2),
    (Kind::Mend, 6),
    (Kind::Switch, 3),
    (Kind::TakeOver, 0),
];

/// How often a message of an operation meets each fate, beside the weight of nothing.
const FATES: [(MakeFate, u32); 7] = [
    (Fate::Held, 24),
    (Fate::Lost, 8),
    (Fate::Twice, 8),
    (Fate::Aborted, 4),
    (Fate::Vanished, 4),
    (Fate::Unconfirmed, 6),
    (Fate::Stale, 4),
];
const NO_FATE: u32 = 120;

/// Which message of an operation it is that meets a fate. Most operations have four.
const PLACES: [u16; 10] = [0, 1, 2, 3, 0, 1, 2, 3, 4, 5];

/// A fate of the message at this place.
type MakeFate = fn(u16) -> Fate;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Wait,
    LongWait,
    LeaseWait,
    EdgeWait,
    Create,
    Twist,
    Cancel,
    Read,
    Claim,
    Work,
    Stall,
    Intrude,
    Sweep,
    Deliver,
    Drop,
    CrashWorker,
    CrashService,
    CrashSweeper,
    CrashStore,
    Restart,
    Pause,
    Resume,
    StepWall,
    StepStore,
    Freeze,
    Cut,
    Mend,
    Switch,
    TakeOver,
}

/// What a duel is made of, beside the vital kinds.
const DUEL: [Kind; 10] = [
    Kind::LeaseWait,
    Kind::EdgeWait,
    Kind::Cancel,
    Kind::Stall,
    Kind::Sweep,
    Kind::Deliver,
    Kind::CrashWorker,
    Kind::Restart,
    Kind::StepStore,
    Kind::StepWall,
];

/// The weights of a seed: kinds of actions first, then fates.
pub(super) fn weights(rng: &mut Rng, duel: bool) -> Weights {
    let weight = |(kind, weight): &(Kind, u32)| match kind {
        Kind::TakeOver if duel => 300,
        Kind::CrashWorker if duel => weight * 2,
        Kind::Wait | Kind::Create | Kind::Claim | Kind::Work if duel => weight / 3,
        kind if duel && !DUEL.contains(kind) => 0,
        _ => *weight,
    };
    let base: Vec<u32> =
        KINDS.iter().map(weight).chain([NO_FATE]).chain(FATES.iter().map(|(_, weight)| *weight)).collect();
    let vital = [Kind::Wait, Kind::Create, Kind::Claim, Kind::Work, Kind::TakeOver].map(|kind| kind as usize);
    let vital: Vec<usize> = vital.into_iter().chain([KINDS.len()]).collect();
    Weights::swarm(rng, &base, &vital)
}

pub(super) struct Draw<'a> {
    pub(super) world: &'a JobsWorld,
    pub(super) rng: &'a mut Rng,
    weights: &'a Weights,
}

/// One thing that may happen next.
pub(super) fn sample(world: &JobsWorld, rng: &mut Rng, weights: &Weights) -> Option<Action> {
    let kind = draw_kind(rng, weights)?;
    Draw { world, rng, weights }.action(kind)
}

fn draw_kind(rng: &mut Rng, weights: &Weights) -> Option<Kind> {
    let total: u32 = (0..KINDS.len()).map(|kind| weights.of(kind)).sum();
    let mut left = rng.below(total.max(1));
    for (place, (kind, _)) in KINDS.iter().enumerate() {
        match left.checked_sub(weights.of(place)) {
            Some(rest) => left = rest,
            None => return Some(*kind),
        }
    }
    None
}

impl Draw<'_> {
    pub(super) fn below(&mut self, bound: u8) -> u8 {
        self.rng.below(u32::from(bound)) as u8
    }

    pub(super) fn client(&mut self) -> u8 {
        self.below(self.world.setup.config.clients)
    }

    pub(super) fn service(&mut self) -> u8 {
        self.below(self.world.setup.config.services)
    }

    pub(super) fn worker(&mut self) -> u8 {
        self.below(self.world.setup.config.workers)
    }

    pub(super) fn job(&mut self) -> u8 {
        let numbers = self.world.setup.config.job_numbers();
        numbers.start.saturating_add(self.below(self.world.setup.config.jobs))
    }

    pub(super) fn fate(&mut self) -> Fate {
        let first = KINDS.len();
        let total: u32 = (first..=first + FATES.len()).map(|place| self.weights.of(place)).sum();
        let mut left = self.rng.below(total);
        for (place, fate) in (first..).zip([None].into_iter().chain(FATES.iter().map(Some))) {
            match left.checked_sub(self.weights.of(place)) {
                Some(rest) => left = rest,
                None => {
                    return match fate {
                        None => Fate::Prompt,
                        Some((fate, _)) => fate(PLACES[self.rng.below(PLACES.len() as u32) as usize]),
                    };
                }
            }
        }
        Fate::Prompt
    }

    fn action(&mut self, kind: Kind) -> Option<Action> {
        Some(match kind {
            Kind::Wait => Action::Advance { ms: self.rng.between(1, 1_500) },
            Kind::LongWait => Action::Advance { ms: self.rng.between(1_500, 9_000) },
            // About as long as a lease, so that its end and what follows fall close together.
            Kind::LeaseWait => Action::Advance { ms: self.rng.between(3_000, 6_000) },
            Kind::EdgeWait => return self.edge_wait(),
            Kind::Create => self.create(Twist::Plain),
            Kind::Twist => {
                let twist = Twist::ALL[1 + self.rng.below(5) as usize];
                self.create(twist)
            }
            Kind::Cancel => {
                let (client, service, job) = (self.client(), self.service(), self.job());
                Action::Cancel { client, service, job, fate: self.fate() }
            }
            Kind::Read => self.read(),
            Kind::Claim => return self.claim(),
            Kind::Work => return self.work(false),
            Kind::Stall => return self.work(true),
            Kind::Intrude => self.intrude(),
            Kind::Sweep => {
                let sweeper = self.below(self.world.setup.config.sweepers);
                let limit = 1 + self.below(3) * 9;
                Action::Sweep { sweeper, limit, fate: self.fate() }
            }
            Kind::Deliver => Action::Deliver { message: self.waiting()?, fate: self.fate() },
            Kind::Drop => Action::Drop { message: self.waiting()? },
            Kind::CrashWorker => Action::Crash { node: Node::Worker(self.worker()) },
            Kind::CrashService => Action::Crash { node: Node::Service(self.service()) },
            Kind::CrashSweeper => {
                Action::Crash { node: Node::Sweeper(self.below(self.world.setup.config.sweepers)) }
            }
            Kind::CrashStore => Action::Crash { node: Node::Store },
            Kind::Restart => Action::Restart { node: self.process() },
            Kind::Pause => Action::Pause { worker: self.worker() },
            Kind::Resume => Action::Resume { worker: self.worker() },
            Kind::StepWall => Action::Step { node: self.process(), ms: self.rng.between(-8_000, 8_000) },
            Kind::StepStore => Action::Step { node: Node::Store, ms: self.rng.between(-500, 500) },
            Kind::Freeze => Action::Freeze { node: self.process() },
            Kind::Cut => self.cut(),
            Kind::Mend => Action::Mend,
            Kind::Switch => Action::Switch { open: !self.world.switch_open },
            Kind::TakeOver => return self.take_over(),
        })
    }

    /// Until shortly before or after something ends or is due, because faults of time show there.
    fn edge_wait(&mut self) -> Option<Action> {
        let world = self.world;
        let (now, store) = (world.now, world.store_time());
        let records = world.table.records().filter_map(|record| {
            let end = record.lease.as_ref().map(|lease| lease.expires_at);
            Some((end.or(record.next_attempt_at)? - store).ms())
        });
        let beliefs = world.workers.iter().flat_map(|worker| {
            let (wall, own) = (worker.wall.read(now), worker.own_time(now));
            worker.machine.hands().iter().flatten().map(move |hand| match hand.until {
                Until::Own(until) => (until - own).ms(),
                Until::Wall(until) => (until - wall).ms(),
            })
        });
        let edges: Vec<i64> = records.chain(beliefs).filter(|ms| (1..=60_000).contains(ms)).collect();
        let place = self.rng.below(u32::try_from(edges.len()).unwrap_or(u32::MAX).max(1)) as usize;
        let near = [-50, -1, 0, 0, 1, 50][self.rng.below(6) as usize];
        edges.get(place).map(|edge| Action::Advance { ms: (edge + near).max(1) })
    }

    pub(super) fn create(&mut self, twist: Twist) -> Action {
        let (client, service, job) = (self.client(), self.service(), self.job());
        Action::Create { client, service, job, twist, fate: self.fate() }
    }

    fn read(&mut self) -> Action {
        let reading =
            [Reading::Job, Reading::Stored, Reading::Events, Reading::Stats][self.rng.below(4) as usize];
        let (client, service, job) = (self.client(), self.service(), self.job());
        Action::Read { client, service, job, reading, fate: self.fate() }
    }

    fn intrude(&mut self) -> Action {
        let deeds = [Deed::Start, Deed::Heartbeat, Deed::Complete, Deed::GiveUp];
        let deed = deeds[self.rng.below(4) as usize];
        Action::Intrude { service: self.service(), job: self.job(), deed }
    }

    /// A worker asks for a job for one of its slots.
    pub(super) fn claim(&mut self) -> Option<Action> {
        let (worker, slot) = self.anywhere();
        let place = self.world.workers.get(usize::from(worker))?;
        let idle = place.machine.hands().get(usize::from(slot))?.is_none();
        let (service, fate) = (self.service(), self.fate());
        idle.then_some(Action::Claim { worker, slot, service, fate })
    }

    /// What a worker would do next with the job in one of its slots.
    pub(super) fn work(&mut self, stalled: bool) -> Option<Action> {
        let Some((worker, slot)) = self.holding() else {
            return if stalled { None } else { self.claim() };
        };
        let service = self.service();
        let place = self.world.workers.get(usize::from(worker))?;
        let fate = self.fate();
        let hand = place.machine.hands()[usize::from(slot)].as_ref()?;
        // A process whose time is over has often looked at its clock before it was.
        let late = !hand.believes(place.wall.read(self.world.now), place.own_time(self.world.now));
        let stalled = stalled || (late && self.rng.chance(1, 2));
        let deed = self.deed(hand, stalled);
        Some(Action::Work { worker, slot, service, deed, stalled, fate })
    }

    fn anywhere(&mut self) -> (u8, u8) {
        (self.worker(), self.below(self.world.setup.config.slots))
    }

    /// A slot with a job in it: the longest in its worker's hands is as likely as any.
    pub(super) fn holding(&mut self) -> Option<(u8, u8)> {
        let config = &self.world.setup.config;
        let places =
            || (0..config.workers).flat_map(|worker| (0..config.slots).map(move |slot| (worker, slot)));
        let full = |&(worker, slot): &(u8, u8)| {
            self.world.workers[usize::from(worker)].machine.hands()[usize::from(slot)].is_some()
        };
        let count = places().filter(full).count();
        let place = self.rng.below(u32::try_from(count).unwrap_or(u32::MAX)) as usize;
        places().filter(full).nth(place)
    }

    pub(super) fn deed(&mut self, hand: &Hand, stalled: bool) -> Deed {
        let fail = Deed::Fail { delay: [0, 1_000, 3_000, 3_600_000][self.rng.below(4) as usize] };
        match hand.phase {
            // A stalled process may have skipped its start.
            Phase::Granted if stalled && self.rng.chance(1, 2) => Deed::Complete,
            Phase::Granted => match self.rng.below(12) {
                0 => Deed::Heartbeat,
                1 => fail,
                _ => Deed::Start,
            },
            Phase::Running if stalled => match self.rng.below(8) {
                0..=2 => Deed::Heartbeat,
                3..=5 => Deed::Touch,
                6 => Deed::Complete,
                _ => fail,
            },
            Phase::Running if hand.cancel_requested && self.rng.chance(1, 3) => Deed::Acknowledge,
            Phase::Running => match self.rng.below(16) {
                0..=3 => Deed::Heartbeat,
                4 => Deed::Progress,
                5 => Deed::Lie,
                6..=11 => Deed::Touch,
                12 => Deed::Complete,
                13..=14 => fail,
                _ => Deed::GiveUp,
            },
            Phase::Settling => Deed::Resend,
        }
    }

    pub(super) fn waiting(&mut self) -> Option<super::action::MessageId> {
        let bag = &self.world.bag;
        bag.get(self.rng.below(u32::try_from(bag.len()).unwrap_or(u32::MAX)) as usize)
            .map(|message| message.id)
    }

    /// A process: a worker, a service or a sweeper.
    fn process(&mut self) -> Node {
        let config = &self.world.setup.config;
        let (workers, services, sweepers) = (config.workers, config.services, config.sweepers);
        let place = self.below(workers + services + sweepers);
        if place < workers {
            Node::Worker(place)
        } else if place < workers + services {
            Node::Service(place - workers)
        } else {
            Node::Sweeper(place - workers - services)
        }
    }

    fn cut(&mut self) -> Action {
        let worker = Node::Worker(self.worker());
        let service = Node::Service(self.service());
        match self.rng.below(4) {
            0 => Action::Cut { from: worker, to: service },
            1 => Action::Cut { from: service, to: worker },
            2 => Action::Cut { from: service, to: Node::Store },
            _ => Action::Cut { from: Node::Store, to: service },
        }
    }
}
