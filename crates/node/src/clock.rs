use holdover_machine::{OwnTime, StoreTime, Timestamp};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// The clocks of a node.
pub trait Clock: Send + Sync {
    /// The wall clock.
    fn now(&self) -> Timestamp;
    /// The monotonic clock.
    fn own(&self) -> OwnTime;
}

/// The clocks of this machine; the monotonic one counts from when this was made.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// Begins to count.
    pub fn start() -> Self {
        Self { start: instant() }
    }

    /// The wall clock, as the clock of a store in this process.
    pub fn store_time() -> StoreTime {
        StoreTime::from_ms(wall_ms())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(wall_ms())
    }

    fn own(&self) -> OwnTime {
        OwnTime::from_ms(i64::try_from(self.start.elapsed().as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that stands before 1970 reads 0.
#[expect(clippy::disallowed_methods, reason = "a shell is where clocks are read")]
fn wall_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The instant by the runtime's own time, which a simulated runtime makes.
#[allow(
    clippy::disallowed_methods,
    reason = "a shell is where clocks are read; on tokio this one is not banned"
)]
pub(crate) fn instant() -> Instant {
    Instant::now()
}
