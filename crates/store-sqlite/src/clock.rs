use holdover_jobs::{Stamp, rules::Floor};
use holdover_machine::StoreTime;
use holdover_store::{HeldClock, StoreClock};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a store judges by: its own clock, and how far that has come in this process.
pub(crate) struct Clock {
    own: Arc<dyn StoreClock>,
    held: HeldClock,
}

impl Clock {
    /// Of this clock, or else the machine's.
    pub(crate) fn new(own: Option<Arc<dyn StoreClock>>) -> Self {
        Self { own: own.unwrap_or_else(|| Arc::new(wall)), held: HeldClock::default() }
    }

    /// The time by which a call of this stamp is judged.
    pub(crate) fn judges(&self, stamp: Stamp) -> StoreTime {
        match stamp {
            Stamp::Caller(time) => time,
            Stamp::Store(Floor::Absent) => self.own.now(),
            Stamp::Store(Floor::Held) => self.held.hold(self.own.now()),
        }
    }
}

/// A clock that stands before 1970 reads 0.
#[expect(
    clippy::disallowed_methods,
    reason = "a store's own clock is the machine's, unless it is given another"
)]
fn wall() -> StoreTime {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    StoreTime::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
