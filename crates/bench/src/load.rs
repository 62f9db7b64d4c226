use crate::Shape;
use std::time::Duration;

/// Who works in a lap, and for how long: until either limit is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// How jobs are taken.
    pub shape: Shape,
    /// How many workers, each with one call at a time; at least one.
    pub workers: u64,
    /// The most jobs, all workers together. Each takes at least one handful of its shape.
    pub jobs: u64,
    /// How long they begin new jobs.
    pub lasts: Duration,
}

impl Load {
    /// The most jobs that one worker takes: whole handfuls.
    pub(crate) fn jobs_each(&self) -> u64 {
        let handful = self.shape.jobs();
        (self.jobs / self.workers / handful).max(1) * handful
    }
}
