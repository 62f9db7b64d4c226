use holdover_machine::StoreTime;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that stands still where the one beneath it goes back, as far as this process has seen it.
#[derive(Debug)]
pub struct HeldClock(AtomicI64);

impl Default for HeldClock {
    fn default() -> Self {
        Self(AtomicI64::new(StoreTime::MIN.ms()))
    }
}

impl HeldClock {
    /// The latest of this reading and all before it.
    pub fn hold(&self, reading: StoreTime) -> StoreTime {
        let before = self.0.fetch_max(reading.ms(), Ordering::Relaxed);
        StoreTime::from_ms(before.max(reading.ms()))
    }

    /// The latest reading so far.
    pub fn latest(&self) -> StoreTime {
        StoreTime::from_ms(self.0.load(Ordering::Relaxed))
    }
}
