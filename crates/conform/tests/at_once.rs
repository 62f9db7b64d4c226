//! What the part about calls made at once says of stores that carry them out in any order, rightly and wrongly.

use holdover_conform::{ManualClock, Options, Part, Report, Subject, conform};
use holdover_jobs::{Call, Command, Order, Reply, Table};
use holdover_store::{Store, StoreClock, StoreError};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tokio::task::yield_now;

/// No history has more calls than this.
const HISTORY_CALLS_MAX: u64 = 410;

/// A store that, of calls made at once, mostly carries out the last one first: it is the last that is tried.
struct Shuffled {
    table: Mutex<Table>,
    clock: ManualClock,
    calls: AtomicU64,
    forgets: bool,
}

impl Store for Shuffled {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        let number = self.calls.fetch_add(1, Relaxed);
        for _ in 0..HISTORY_CALLS_MAX.saturating_sub(number) * 5 {
            yield_now().await;
        }
        let mut table = self.table.lock().expect("no panic inside");
        // One operation in so many is answered and not kept.
        if self.forgets && number % 50 == 49 && matches!(call.command, Command::Operate(_)) {
            return Ok(table.clone().execute(self.clock.now(), &call));
        }
        Ok(table.execute(self.clock.now(), &call))
    }
}

/// Opens such stores.
struct Shuffles {
    forgets: bool,
}

impl Subject for Shuffles {
    type Store = Shuffled;

    async fn open(&self, order: Order, clock: ManualClock) -> Result<Shuffled, StoreError> {
        let (table, calls) = (Mutex::new(Table::new(order)), AtomicU64::new(0));
        Ok(Shuffled { table, clock, calls, forgets: self.forgets })
    }
}

fn at_once(forgets: bool) -> Report {
    let options = Options { parts: vec![Part::Concurrent], concurrent_calls: 20_000, ..Options::default() };
    conform(&Shuffles { forgets }, &options)
}

/// Goal: a store that is right is not accused because many orders explain its replies. Of them twelve were followed
/// once, and the right one could be among those that were not.
#[test]
fn whoever_is_right_is_not_accused() {
    let report = at_once(false);
    assert!(report.passed(), "{report}");
}

/// Goal: a store that now and then answers and keeps nothing is found out.
#[test]
fn whoever_forgets_is_found_out() {
    let report = at_once(true);
    assert!(report.parts[0].failed > 0, "{report}");
}
