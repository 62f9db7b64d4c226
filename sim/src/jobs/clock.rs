use holdover_machine::WorldTime;

/// A node's clock: what it reads at a true time. It may run fast or slow, step, and stand still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Clock {
    set_at: WorldTime,
    set_to: i64,
    /// How much faster than true time it runs, in millionths.
    drift_ppm: i64,
    frozen: bool,
}

impl Clock {
    /// A clock that reads `reading` at the start of the world.
    pub(super) fn new(reading: i64, drift_ppm: i64) -> Self {
        Self { set_at: WorldTime::ZERO, set_to: reading, drift_ppm, frozen: false }
    }

    pub(super) fn read(&self, now: WorldTime) -> i64 {
        if self.frozen {
            return self.set_to;
        }
        let passed = (now - self.set_at).ms();
        let drifted = passed.saturating_mul(self.drift_ppm) / 1_000_000;
        self.set_to.saturating_add(passed).saturating_add(drifted)
    }

    /// The reading, kept within `most` of `truth`: however it drifts or stands still, it is no further off.
    pub(super) fn read_within(&self, now: WorldTime, truth: i64, most: i64) -> i64 {
        self.read(now).clamp(truth - most, truth + most)
    }

    /// Reads `reading` from now on.
    pub(super) fn set(&mut self, now: WorldTime, reading: i64) {
        self.set_to = reading;
        self.set_at = now;
    }

    pub(super) fn set_frozen(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    pub(super) fn is_frozen(&self) -> bool {
        self.frozen
    }
}
