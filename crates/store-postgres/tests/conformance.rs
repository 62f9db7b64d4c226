//! The store on PostgreSQL, held to the contract.

use holdover_conform::{ManualClock, Subject, store_conformance};
use holdover_jobs::Order;
use holdover_servers::Postgres;
use holdover_store::StoreError;
use holdover_store_postgres::{Options, PostgresStore};

/// A schema for each order, emptied for each store: no two are in use at once.
struct Schemas(Postgres);

impl Subject for Schemas {
    type Store = PostgresStore;

    async fn open(&self, order: Order, clock: ManualClock) -> Result<PostgresStore, StoreError> {
        let schema = format!("{order:?}").to_lowercase();
        let options = Options::new(self.0.url()).schema(schema).order(order).clock(clock);
        let store = PostgresStore::open(options).await;
        let store = store.map_err(|error| StoreError::Failed(error.to_string()))?;
        store.reset().await?;
        Ok(store)
    }
}

store_conformance!(postgres, Schemas(Postgres::start().expect("PostgreSQL is installed")));
