//! What the world of a scope is like. Times are coarse: a lease is two ticks.

use crate::jobs::config::Config;
use crate::jobs::promise::Promise;
use holdover::{Scope, ScopeWords};
use holdover_machine::Span;

/// How much time passes at once.
pub(super) const TICK_MS: i64 = 2_500;

/// How far a clock steps.
pub(super) const CLOCK_STEP_MS: i64 = 1_000;

/// The first job: cancellable, with two attempts and a time-out a little longer than a lease.
const FIRST_JOB: u8 = 16;

/// What is explored if nobody asks for something else.
pub(super) const DEFAULT: Scope =
    Scope { workers: 2, jobs: 1, in_flight: 1, crashes: 0, dups: 0, clock_steps: 0 };

pub(super) fn config(scope: &Scope) -> Config {
    let stepped = Span::from_ms(if scope.clock_steps > 0 { CLOCK_STEP_MS } else { 0 });
    let promise = Promise {
        offset: stepped,
        drift_ppm: 0,
        store_step: stepped,
        delay: Span::from_ms(2 * TICK_MS),
        lease: Span::from_ms(2 * TICK_MS),
        claim_retry: Span::from_ms(TICK_MS),
        sweep: Span::from_ms(2 * TICK_MS),
        back_off_max: Span::from_ms(2_000),
        ..Promise::campaign()
    };
    Config {
        jobs: scope.jobs,
        first_job: FIRST_JOB,
        clients: 1,
        services: 1,
        workers: scope.workers,
        slots: 1,
        sweepers: 1,
        fenced: true,
        service_offsets: Vec::new(),
        worker_offsets: Vec::new(),
        worker_drifts: Vec::new(),
        store_drift: 0,
        sweep_every: promise.sweep.ms(),
        sweep_phases: vec![0],
        actual: None,
        promise,
    }
}

/// The longest ago that still makes a difference: beyond it all times are one.
pub(super) fn horizon(promise: &Promise) -> i64 {
    // The time-out of the first job is longer than a lease, and the cancel grace shorter.
    const TIMEOUT_MS: i64 = 6_000;
    promise.claim_memory().ms().max(TIMEOUT_MS) + promise.store_step.times(2).ms()
}

pub(super) fn words(scope: &Scope) -> ScopeWords {
    let Scope { workers, jobs, in_flight, crashes, dups, clock_steps } = *scope;
    let count = |count: u8, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let within = format!(
        "1 service, 1 sweeper, {}, {}; a tick is half a lease; at most {in_flight} held up in the network, lost after a lease; \
         stalled workers; {}, {}, {}",
        count(workers, "worker", "workers"),
        count(jobs, "job", "jobs"),
        count(crashes, "worker crash", "worker crashes"),
        count(dups, "duplicate", "duplicates"),
        count(clock_steps, "clock step", "clock steps"),
    );
    let budgets = [(crashes, "worker crash"), (dups, "duplicate"), (clock_steps, "clock step")];
    let spent = budgets.into_iter().filter(|(budget, _)| *budget == 0).map(|(_, name)| name);
    let never =
        ["service crash", "store fault", "stale read", "clock drift", "cut link", "switch", "stranger"];
    ScopeWords { within, off: spent.chain(never).collect() }
}
