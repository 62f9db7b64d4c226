use hdrhistogram::Histogram;
use std::time::{Duration, Instant};

/// What some workers have done.
#[derive(Debug)]
pub struct Lap {
    /// Jobs that were completed.
    pub jobs: u64,
    /// Answers that a store which works does not give: a job of a full backlog was not found, or one that was granted
    /// could not be completed.
    pub wrong: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// How long each call took, in microseconds.
    pub latency: Histogram<u64>,
}

impl Lap {
    /// A lap in which nothing was done yet.
    pub fn new() -> Self {
        Self { jobs: 0, wrong: 0, elapsed: Duration::ZERO, latency: microseconds() }
    }

    /// Jobs a second.
    pub fn rate(&self) -> f64 {
        self.jobs as f64 / self.elapsed.as_secs_f64()
    }

    /// Adds what one more worker has done at the same time.
    pub fn add(&mut self, other: &Self) {
        self.jobs += other.jobs;
        self.wrong += other.wrong;
        self.elapsed = self.elapsed.max(other.elapsed);
        self.latency += &other.latency;
    }
}

impl Default for Lap {
    fn default() -> Self {
        Self::new()
    }
}

/// An empty histogram of microseconds, up to a minute.
pub fn microseconds() -> Histogram<u64> {
    Histogram::new_with_max(60_000_000, 3).expect("three digits are possible")
}

/// The machine's clock.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn now() -> Instant {
    Instant::now()
}
