//! The store in an SQLite file, held to the contract.

use holdover_conform::{ManualClock, Subject, store_conformance};
use holdover_jobs::Order;
use holdover_store::StoreError;
use holdover_store_sqlite::{Durability, Options, SqliteStore};
use std::sync::Arc;
use tempfile::TempDir;

/// Each store is a file of its own.
struct Files(TempDir);

impl Subject for Files {
    type Store = SqliteStore;

    async fn open(&self, order: Order, clock: ManualClock) -> Result<SqliteStore, StoreError> {
        let failed = |why: &dyn std::fmt::Display| StoreError::Failed(why.to_string());
        let folder = tempfile::tempdir_in(self.0.path()).map_err(|error| failed(&error))?;
        let mut options = Options::new(folder.keep().join("jobs.db"));
        options.order = order;
        options.clock = Some(Arc::new(clock));
        // What is durable is a matter of other tests.
        options.durability = Durability::Off;
        SqliteStore::open(options).map_err(|error| failed(&error))
    }
}

store_conformance!(sqlite, Files(tempfile::tempdir().expect("a temporary folder")));
