use crate::{Store, StoreClock, StoreError};
use holdover_jobs::{Call, Reply, Table};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The store in memory: a [`Table`] behind a lock, with a clock of its own. It forgets everything with its process.
pub struct MemoryStore {
    table: Mutex<Table>,
    clock: Box<dyn StoreClock>,
}

impl MemoryStore {
    /// A store of what is in this table, judging by this clock.
    pub fn new(table: Table, clock: impl StoreClock + 'static) -> Self {
        Self { table: Mutex::new(table), clock: Box::new(clock) }
    }

    /// Looks at the table, between two calls.
    pub fn inspect<T>(&self, look: impl FnOnce(&Table) -> T) -> T {
        look(&self.table())
    }

    /// A call that panics has been stopped by a bug of the table's, and what it left is what others must see too.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        let now = self.clock.now();
        Ok(self.table().execute(now, &call))
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").field("table", &self.table).finish_non_exhaustive()
    }
}
