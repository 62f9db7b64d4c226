use holdover_machine::Span;
use serde::{Deserialize, Serialize};

/// What the deployment promises the protocol, and so the bounds within which it promises anything back.
///
/// Campaigns draw faults within these bounds, for every variant. Invariants may read them, never the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// The most that a node's wall clock is off, either way.
    pub offset: Span,
    /// The most that any clock runs fast or slow, in millionths.
    pub drift_ppm: i64,
    /// The most that the store's clock is off, either way.
    pub store_step: Span,
    /// The longest life of a message: one that is older is lost.
    pub delay: Span,
    /// The lease that workers ask for.
    pub lease: Span,
    /// How long a worker repeats a claim.
    pub claim_retry: Span,
    /// How often each sweeper sweeps.
    pub sweep: Span,
    /// How often an idle worker asks for a job.
    pub poll: Span,
    /// The least time between a lost or failed attempt and the next grant.
    pub back_off: Span,
    /// The longest time between a lost or failed attempt and when the job is ready again.
    pub back_off_max: Span,
    /// The most jobs of a tenant that are active at once.
    pub tenant_active_max: u64,
}

impl Promise {
    /// The promise under which the campaigns run.
    pub fn campaign() -> Self {
        Self {
            offset: Span::from_ms(4_000),
            drift_ppm: 10_000,
            store_step: Span::from_ms(250),
            delay: Span::from_ms(10_000),
            lease: Span::from_ms(5_000),
            claim_retry: Span::from_ms(20_000),
            sweep: Span::from_ms(20_000),
            poll: Span::from_ms(1_000),
            back_off: Span::from_ms(1_000),
            back_off_max: Span::from_ms(4_000),
            tenant_active_max: 4,
        }
    }

    /// The promise within what a world can keep: lengths of time from 0 to a day, and nothing that is done again
    /// and again so often that a world could not be healed in reasonable time.
    #[must_use]
    pub fn within_bounds(&self) -> Self {
        let day = 86_400_000;
        let bounded = |span: Span, least: i64| Span::from_ms(span.ms().clamp(least, day));
        let within = Self {
            offset: bounded(self.offset, 0),
            drift_ppm: self.drift_ppm.clamp(0, 500_000),
            store_step: bounded(self.store_step, 0),
            delay: bounded(self.delay, 0),
            lease: bounded(self.lease, 1),
            claim_retry: bounded(self.claim_retry, 0),
            sweep: bounded(self.sweep, 1),
            poll: bounded(self.poll, 1),
            back_off: bounded(self.back_off, 0),
            back_off_max: bounded(self.back_off_max, 0),
            tenant_active_max: self.tenant_active_max,
        };
        let least = within.period_least();
        Self { sweep: within.sweep.max(least), poll: within.poll.max(least), ..within }
    }

    /// The least period of a sweep or a poll: a hundredth of the longest time that healing may have to wait for.
    pub(super) fn period_least(&self) -> Span {
        let waits = [self.lease, self.delay, self.sweep, self.poll, self.back_off_max, self.store_step];
        let longest = waits.into_iter().fold(Span::ZERO, Span::max);
        Span::from_ms(longest.ms() / 100)
    }

    /// The most that a clock's rate makes of a span.
    pub fn drift_over(&self, span: Span) -> Span {
        // Rounded up, and one more for the rounding of readings.
        Span::from_ms(span.ms() * self.drift_ppm / 1_000_000 + 2)
    }

    /// The most that the store's clock gains on true time within a span: from as far behind to as far ahead as it
    /// may be, and its rate.
    pub fn store_gain(&self, span: Span) -> Span {
        self.store_step.times(2) + self.drift_over(span)
    }

    /// How long before a lease's end a worker stops: the store's gain and the worker's own loss over one lease.
    pub fn margin(&self) -> Span {
        self.store_gain(self.lease) + self.drift_over(self.lease)
    }

    /// The longest that a lease is renewed beyond a cancel.
    pub fn cancel_grace(&self) -> Span {
        Span::from_ms(3_000)
    }

    /// How long the store must remember a claim: for as long as it may be repeated, by a slow clock, and a message
    /// of it may still arrive, by a fast one.
    pub fn claim_memory(&self) -> Span {
        let repeats = self.claim_retry + self.drift_over(self.claim_retry) + self.delay;
        repeats + self.store_gain(repeats)
    }

    /// From the end of all faults until every lease that nobody keeps has been taken away: the store's time may
    /// stand still until its clock has caught up, then the lease runs out, then the next sweep comes round, and
    /// its message is as slow as a message may be.
    pub fn recovery_bound(&self) -> Span {
        self.store_gain(self.lease) + self.lease + self.drift_over(self.lease) + self.sweep + self.delay
    }

    /// From then until every job has ended: the longest back-off, and a poll for each job to hand out, each with
    /// a message there and back.
    pub fn completion_bound(&self, jobs: usize) -> Span {
        let jobs = i64::try_from(jobs).unwrap_or(i64::MAX);
        self.recovery_bound()
            + self.back_off_max
            + self.store_gain(self.back_off_max)
            + self.poll.times(jobs + 2)
    }
}
