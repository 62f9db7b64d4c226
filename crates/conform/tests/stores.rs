//! The stores of this workspace that need no server, held to the contract; and stores with flaws, which must fall.

use holdover_conform::{ManualClock, Subject, store_conformance};
use holdover_jobs::{Order, Table};
use holdover_store::{MemoryStore, StoreError};

#[path = "../examples/plain_map.rs"]
#[expect(dead_code, reason = "it is a program of its own")]
mod plain_map;

struct InMemory;

impl Subject for InMemory {
    type Store = MemoryStore;

    async fn open(&self, order: Order, clock: ManualClock) -> Result<MemoryStore, StoreError> {
        Ok(MemoryStore::new(Table::new(order), clock))
    }
}

store_conformance!(memory, InMemory);
store_conformance!(plain_map_store, plain_map::PlainMaps);
