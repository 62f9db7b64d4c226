//! The frontier of the jobs world: how far clocks may err, and workers pause, before an invariant falls.

mod kind;
mod pose;
mod story;
mod waits;
mod walk;

use super::{Action, Actual, Config, Jobs, Promise};
use holdover::{ErrorKind, Frontier, Schedule};
use holdover_machine::Span;
use kind::{KINDS, Kind};
use story::STORIES;

/// A deployment whose clocks err by as much as is asked for, whatever it promises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockFrontier {
    /// What it promises: what invariants judge by, and what workers derive their margin from.
    pub promise: Promise,
    /// How long before a lease's end a worker stops, where it is not what the promise asks for.
    pub margin: Option<Span>,
    /// How long after its end others leave a lease alone.
    pub recovery_grace: Span,
    /// Whether every second random schedule has messages held, lost and doubled, and workers that die.
    pub other_faults: bool,
}

impl ClockFrontier {
    /// The promise of the campaigns, with the shortest back-off there is: a longer one would keep a second owner away
    /// for a while and so hide an early end of a lease.
    pub fn campaign() -> Self {
        let promise = Promise { back_off: Span::from_ms(1), ..Promise::campaign() };
        Self { promise, margin: None, recovery_grace: Span::ZERO, other_faults: false }
    }

    /// How many of the first seeds tell the short story in one of its forms.
    pub const STORIES: u64 = STORIES;

    /// Two services, two workers and a sweeper, whose clocks are right.
    fn config(&self) -> Config {
        let promise = self.promise.clone();
        let sweep = promise.sweep.ms();
        // The sweeper comes as late as it may: so that one more sweep would be beyond the bound.
        let phase = (promise.recovery_bound().ms() - sweep + 1).clamp(0, sweep - 1);
        Config {
            jobs: 3,
            first_job: 0,
            clients: 1,
            services: 2,
            workers: 2,
            slots: 1,
            sweepers: 1,
            fenced: true,
            service_offsets: Vec::new(),
            worker_offsets: Vec::new(),
            worker_drifts: Vec::new(),
            store_drift: 0,
            sweep_every: sweep,
            sweep_phases: vec![phase],
            promise,
            actual: Some(Actual {
                margin: self.margin,
                recovery_grace: self.recovery_grace,
                ..Actual::default()
            }),
        }
    }
}

impl Frontier for ClockFrontier {
    type Scenario = Jobs;

    fn scenario(&self) -> &Jobs {
        &Jobs
    }

    fn kinds(&self) -> &[ErrorKind] {
        KINDS
    }

    fn variants(&self) -> &[&'static str] {
        &["original", "hardened", "hardened-without-store-clock"]
    }

    fn seeds(&self) -> u64 {
        2 * STORIES
    }

    fn scope(&self) -> String {
        let promise = &self.promise;
        let faults = match self.other_faults {
            false => "there are no other faults",
            true => "in every second of these messages are held, lost and doubled, and workers die",
        };
        format!(
            "Two services, two workers, one sweeper, up to two jobs, a fenced resource. One kind of error at a time, all \
             other clocks right. The first {STORIES} seeds tell one short story in every form, later ones are drawn at \
             random; {faults}. Promised: lease {}, the store's clock within {}, rates within {} ppm; so a worker on its \
             monotonic clock stops {} before its lease ends. Recovery grace {}, back-off {}. Sizes are ms; a cell says \
             the largest that passes and the smallest that falls.",
            promise.lease,
            promise.store_step,
            promise.drift_ppm,
            self.margin.unwrap_or_else(|| promise.margin()),
            self.recovery_grace,
            promise.back_off,
        )
    }

    fn schedule(&self, kind: usize, size: i64, seed: u64) -> Schedule<Config, Action> {
        let kind = Kind::ALL[kind];
        match seed {
            0..STORIES => story::story(kind, size, seed, self.config()),
            _ => walk::walk(kind, size, seed, self.other_faults && seed % 2 == 1, self.config()),
        }
    }
}
