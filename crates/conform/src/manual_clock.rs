use holdover_machine::StoreTime;
use holdover_store::StoreClock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A store's clock that shows what it is set to. Clones share one reading.
#[derive(Debug, Clone, Default)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// Sets the reading.
    pub fn set(&self, now: StoreTime) {
        self.0.store(now.ms(), Ordering::SeqCst);
    }
}

impl StoreClock for ManualClock {
    fn now(&self) -> StoreTime {
        StoreTime::from_ms(self.0.load(Ordering::SeqCst))
    }
}
