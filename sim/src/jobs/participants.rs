//! The processes of the world: machines with a clock, alive or not.

use super::clock::Clock;
use super::config::Config;
use super::fault::Fault;
use super::message::Origin;
use holdover::Observer;
use holdover_jobs::rules::Belief;
use holdover_jobs::worker::{Worker, WorkerSettings};
use holdover_jobs::{FlightId, Incarnation, Policy, Service};
use holdover_machine::{OwnTime, Timestamp, WorldTime};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The wall clock that every node's offset is counted from, so that no reading is 0.
pub(super) const WALL_EPOCH_MS: i64 = 1_000_000;

/// A wall clock, and what is to be noticed about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wall {
    pub(super) clock: Clock,
    pub(super) offset: i64,
    /// The last step, until it is noticed.
    pub(super) stepped: i64,
    /// The most that it is off.
    most: i64,
}

impl Wall {
    pub(super) fn new(offset: i64, drift_ppm: i64, most: i64) -> Self {
        Self { clock: Clock::new(WALL_EPOCH_MS.saturating_add(offset), drift_ppm), offset, stepped: 0, most }
    }

    /// The reading, never further off than promised.
    pub(super) fn read(&self, now: WorldTime) -> Timestamp {
        Timestamp::from_ms(self.clock.read_within(now, truth(now), self.most))
    }

    /// Steps, but never further off than promised; answers whether it moved.
    pub(super) fn step(&mut self, now: WorldTime, ms: i64) -> bool {
        let reading = self.read(now).ms();
        let stepped = reading.saturating_add(ms).clamp(truth(now) - self.most, truth(now) + self.most);
        self.clock.set(now, stepped);
        self.stepped = stepped - reading;
        self.stepped != 0
    }

    /// Counts what a node notices about it when it reads it.
    pub(super) fn notice(&mut self, observer: &mut Observer) {
        if self.offset != 0 {
            observer.fault(Fault::WallOffset as usize);
        }
        if self.clock.is_frozen() {
            observer.fault(Fault::WallFreeze as usize);
        }
        match std::mem::take(&mut self.stepped) {
            0 => {}
            step if step < 0 => observer.fault(Fault::WallStepBack as usize),
            _ => observer.fault(Fault::WallStepForward as usize),
        }
    }

    /// Stands still, or goes on.
    pub(super) fn toggle(&mut self, now: WorldTime) {
        self.clock.set(now, self.read(now).ms());
        self.clock.set_frozen(!self.clock.is_frozen());
    }
}

/// What a wall clock without error reads.
pub(super) fn truth(now: WorldTime) -> i64 {
    WALL_EPOCH_MS + now.ms()
}

/// A service process; a sweeper is one as well, with nobody but itself to answer to.
#[derive(Debug, Clone)]
pub(super) struct ServiceNode {
    pub(super) machine: Service,
    pub(super) wall: Wall,
    /// When it died, while it is dead.
    pub(super) down_since: Option<WorldTime>,
    /// Whom each request under way is answered to. It dies with the process.
    pub(super) flights: BTreeMap<FlightId, Arc<Origin>>,
    pub(super) next_flight: FlightId,
    pub(super) life: u32,
    /// For a sweeper: when it swept last.
    pub(super) swept_at: WorldTime,
}

impl ServiceNode {
    pub(super) fn new(policy: &Arc<Policy>, offset: i64, drift: i64, most: i64) -> Self {
        Self {
            machine: Service::new(Arc::clone(policy)),
            wall: Wall::new(offset, drift, most),
            down_since: None,
            flights: BTreeMap::new(),
            next_flight: 1,
            life: 1,
            swept_at: WorldTime::ZERO,
        }
    }

    pub(super) fn crash(&mut self, now: WorldTime) {
        self.machine = Service::new(Arc::clone(self.machine.policy()));
        self.flights.clear();
        self.down_since = Some(now);
        self.life += 1;
    }
}

/// A worker process.
#[derive(Debug)]
pub(super) struct WorkerNode {
    pub(super) machine: Worker,
    pub(super) settings: Arc<WorkerSettings>,
    pub(super) wall: Wall,
    pub(super) own: Clock,
    pub(super) drift: i64,
    pub(super) down_since: Option<WorldTime>,
    pub(super) paused: bool,
    pub(super) life: u32,
    pub(super) index: u8,
}

holdover_machine::clone_by_member!(WorkerNode {
    machine,
    settings,
    wall,
    own,
    drift,
    down_since,
    paused,
    life,
    index
});

impl WorkerNode {
    pub(super) fn new(index: u8, settings: WorkerSettings, offset: i64, drift: i64, most: i64) -> Self {
        let settings = Arc::new(settings);
        Self {
            machine: Worker::new(Arc::clone(&settings), incarnation(index, 1)),
            settings,
            wall: Wall::new(offset, drift, most),
            own: Clock::new(0, drift),
            drift,
            down_since: None,
            paused: false,
            life: 1,
            index,
        }
    }

    pub(super) fn own_time(&self, now: WorldTime) -> OwnTime {
        OwnTime::from_ms(self.own.read(now))
    }

    /// Dies; the next run is another incarnation with an empty memory.
    pub(super) fn crash(&mut self, now: WorldTime, reborn: impl FnOnce(Incarnation) -> Incarnation) {
        self.life += 1;
        let incarnation = reborn(incarnation(self.index, self.life));
        self.machine = Worker::new(Arc::clone(&self.settings), incarnation);
        self.down_since = Some(now);
        self.paused = false;
    }

    pub(super) fn is_up(&self) -> bool {
        self.down_since.is_none()
    }
}

/// The incarnation of a worker's n-th run.
fn incarnation(index: u8, life: u32) -> Incarnation {
    Incarnation(u64::from(index) * 1_000 + u64::from(life))
}

/// How a worker of this world works.
pub(super) fn worker_settings(policy: &Policy, config: &Config, index: u8) -> WorkerSettings {
    // The first worker can run everything, so that no job waits for an executor that nobody has.
    let executors: &[&str] = match index {
        0 => &["aider", "goosed"],
        1 => &["aider"],
        _ => &["goosed", "aider"],
    };
    WorkerSettings {
        worker: format!("worker-{index}").into(),
        executors: executors.iter().map(|&executor| executor.into()).collect(),
        slots: u32::from(config.slots),
        lease: config.promise.lease,
        claim_retry: config.promise.claim_retry,
        margin: config.margin(policy.rules.belief == Belief::Echo),
        belief: policy.rules.belief,
        fence: policy.rules.fence,
    }
}
