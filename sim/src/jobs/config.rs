use super::actual::Actual;
use super::promise::Promise;
use super::task::JOBS_MAX;
use holdover::Rng;
use holdover_machine::{Span, WorldTime};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What a seed decides about a jobs world before it begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// What the deployment promises.
    pub promise: Promise,
    /// Jobs that clients may create.
    pub jobs: u8,
    /// The first of them. Jobs differ by their number in how often and how long they may be tried.
    #[serde(default)]
    pub first_job: u8,
    /// Clients.
    pub clients: u8,
    /// Gateway and coordinator processes over the one store.
    pub services: u8,
    /// Workers; the first can run every executor.
    pub workers: u8,
    /// Jobs that a worker holds at most.
    pub slots: u8,
    /// Sweepers.
    pub sweepers: u8,
    /// Whether the resource compares fencing numbers.
    pub fenced: bool,
    /// How far each service's wall clock is off, in milliseconds.
    pub service_offsets: Vec<i64>,
    /// How far each worker's wall clock is off, in milliseconds.
    pub worker_offsets: Vec<i64>,
    /// How fast each worker's clocks run, in millionths.
    pub worker_drifts: Vec<i64>,
    /// How fast the store's clock runs, in millionths.
    pub store_drift: i64,
    /// How often the sweepers really sweep, in milliseconds; the promise says how often they should.
    pub sweep_every: i64,
    /// How far into its period each sweeper is when the faults stop, in milliseconds.
    pub sweep_phases: Vec<i64>,
    /// Where the deployment is not as it promises; a campaign never is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Actual>,
}

impl Config {
    /// The configuration of a seed.
    pub fn draw(rng: &mut Rng) -> Self {
        let promise = Promise { tenant_active_max: 1 + u64::from(rng.below(4)), ..Promise::campaign() };
        // Few jobs are fought over; many make queues and limits.
        let jobs = [1, 1, 1, 2, 2, 3, 5, 8][rng.below(8) as usize];
        let first_job = rng.below(3) as u8;
        let services = 2;
        let workers = 2 + rng.below(2) as u8;
        let sweepers = rng.below(3) as u8;
        let perfect_clocks = rng.chance(1, 4);
        let (offset, drift, sweep) = (promise.offset.ms(), promise.drift_ppm, promise.sweep.ms());
        let mut each = |count: u8, most: i64| -> Vec<i64> {
            (0..count).map(|_| if perfect_clocks { 0 } else { rng.between(-most, most) }).collect()
        };
        let service_offsets = each(services, offset);
        let worker_offsets = each(workers, offset);
        let worker_drifts = each(workers, drift);
        let store_drift = each(1, drift)[0];
        Self {
            jobs,
            first_job,
            clients: 2,
            services,
            workers,
            slots: 1 + u8::from(rng.chance(1, 3)),
            sweepers,
            fenced: true,
            service_offsets,
            worker_offsets,
            worker_drifts,
            store_drift,
            sweep_phases: (0..sweepers).map(|_| rng.between(0, sweep - 1)).collect(),
            sweep_every: sweep,
            promise,
            actual: None,
        }
    }

    /// The configuration of a duel: two workers and one job that is ready again almost at once.
    pub fn draw_duel(rng: &mut Rng) -> Self {
        let drawn = Self::draw(rng);
        let promise =
            Promise { back_off: Span::from_ms(100), back_off_max: Span::from_ms(400), ..drawn.promise };
        Self {
            promise,
            jobs: 1,
            first_job: [1, 2, 5, 8][rng.below(4) as usize],
            workers: 2,
            slots: 1,
            ..drawn
        }
    }

    /// The numbers of the jobs that clients may create.
    pub fn job_numbers(&self) -> Range<u8> {
        self.first_job..self.first_job.saturating_add(self.jobs)
    }

    /// The configuration within what a world can be: one that was written by hand may say anything.
    #[must_use]
    pub fn within_bounds(&self) -> Self {
        let promise = self.promise.within_bounds();
        let sweepers = self.sweepers.min(NODES_MAX);
        let sweep_every = self.sweep_every.clamp(promise.period_least().ms().max(1), 3_600_000);
        let phases = self.sweep_phases.iter().copied().chain(std::iter::repeat(0));
        Self {
            promise,
            jobs: self.jobs.min(JOBS_MAX),
            first_job: self.first_job.min(JOBS_MAX),
            clients: self.clients.min(NODES_MAX),
            services: self.services.clamp(1, NODES_MAX),
            workers: self.workers.min(NODES_MAX),
            slots: self.slots.clamp(1, NODES_MAX),
            sweepers,
            sweep_every,
            sweep_phases: phases.take(sweepers.into()).map(|ms| ms.clamp(0, sweep_every - 1)).collect(),
            actual: self.actual.as_ref().map(Actual::within_bounds),
            ..self.clone()
        }
    }

    /// The most that a wall clock is off.
    pub(super) fn wall_error_max(&self) -> Span {
        self.actual.as_ref().map_or(self.promise.offset, |actual| actual.wall_error)
    }

    /// The most that the store's clock is off from where it stands.
    pub(super) fn store_error_max(&self) -> Span {
        self.actual.as_ref().map_or(self.promise.store_step, |actual| actual.store_error)
    }

    /// How far from true time the store's clock stands for good, in milliseconds.
    pub(super) fn store_stands_off(&self, now: WorldTime) -> i64 {
        let Some(actual) = &self.actual else { return 0 };
        actual.store_offset + now.ms().saturating_mul(actual.store_drift) / 1_000_000
    }

    /// How fast the wall clock of a service, or behind them of a sweeper, runs, in millionths.
    pub(super) fn service_drift(&self, index: u8) -> i64 {
        let drifts = self.actual.as_ref().map_or(&[][..], |actual| &actual.service_drifts);
        drifts.get(usize::from(index)).copied().unwrap_or(0)
    }

    /// How long before a lease's end a worker stops that counts on its monotonic clock, and one that does not.
    pub(super) fn margin(&self, monotonic: bool) -> Span {
        let promised = if monotonic { self.promise.margin() } else { Span::ZERO };
        self.actual.as_ref().and_then(|actual| actual.margin).unwrap_or(promised)
    }

    /// How long after its end others leave a lease alone.
    pub(super) fn recovery_grace(&self) -> Span {
        self.actual.as_ref().map_or(Span::ZERO, |actual| actual.recovery_grace)
    }
}

/// The most nodes of a kind.
const NODES_MAX: u8 = 16;
