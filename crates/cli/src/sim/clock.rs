//! The only place of the command line that reads clocks: how long a campaign took, and whether its time is over.

use cpu_time::ProcessTime;
use std::time::{Duration, Instant};

#[expect(clippy::disallowed_methods, reason = "the user asks for real time; no run sees it")]
fn now() -> Instant {
    Instant::now()
}

/// Measures real time and the processor time of all threads.
pub(crate) struct Stopwatch {
    wall: Instant,
    cpu: ProcessTime,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { wall: now(), cpu: ProcessTime::now() }
    }

    /// Seconds of real time and of processor time, to the millisecond.
    pub(crate) fn stop(self) -> (f64, f64) {
        let seconds = |duration: Duration| (duration.as_secs_f64() * 1000.0).round() / 1000.0;
        (seconds(now() - self.wall), seconds(self.cpu.elapsed()))
    }
}

/// The time that a command may take.
pub(crate) struct Budget {
    end: Option<Instant>,
}

impl Budget {
    /// So many seconds from now; without a number, for ever.
    pub(crate) fn begin(seconds: Option<u64>) -> Self {
        Self { end: seconds.and_then(|seconds| now().checked_add(Duration::from_secs(seconds))) }
    }

    /// An equal share of what is left, for the first of `campaigns` that are still to come.
    pub(crate) fn share(&self, campaigns: usize) -> Deadline {
        let begin = now();
        let share =
            |end: Instant| begin + (end - begin) / u32::try_from(campaigns.max(1)).unwrap_or(u32::MAX);
        Deadline { end: self.end.map(share) }
    }
}

/// When a campaign is to begin no more seeds.
pub(crate) struct Deadline {
    end: Option<Instant>,
}

impl Deadline {
    pub(crate) fn has_passed(&self) -> bool {
        self.end.is_some_and(|end| now() >= end)
    }
}
