use crate::records::PostgresRecords;
use crate::session::Sessions;
use crate::short::Bounds;
use crate::{OpenError, Options};
use holdover_jobs::{Call, Claim, Event, Record, Reply};
use holdover_store::{HeldClock, RecordStore, Store, StoreError};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A store of jobs in a schema of a PostgreSQL database. Any number of processes may have it open.
pub struct PostgresStore {
    sessions: Arc<Sessions>,
    store: RecordStore<PostgresRecords>,
}

impl PostgresStore {
    /// Opens a store; its schema is made where there is none, and brought up to date.
    ///
    /// # Errors
    /// The options are wrong, the server cannot be reached, or the schema cannot be used.
    pub async fn open(options: impl Into<Options>) -> Result<Self, OpenError> {
        let options = options.into();
        let sessions = Arc::new(Sessions::open(&options).await?);
        let held = Arc::new(HeldClock::default());
        let records = PostgresRecords {
            sessions: Arc::clone(&sessions),
            order: options.order,
            held: Arc::clone(&held),
            bounds: Bounds::default(),
            enrolled: Mutex::default(),
        };
        let store = RecordStore::sharing_clock(records, options.order, held);
        Ok(Self { sessions, store })
    }

    /// The records under the store, for another store on them.
    pub fn into_records(self) -> PostgresRecords {
        self.store.into_records()
    }

    /// How many buffers of 8 KiB the server looks at to find the job for a claim, as it says itself: for a watch on a
    /// queue that has become slow. Nothing is claimed.
    ///
    /// # Errors
    /// The server cannot be asked, or the claim is one that is not made by one statement.
    pub async fn claim_cost(&self, claim: &Claim) -> Result<u64, StoreError> {
        self.store.records().claim_cost(claim).await
    }

    /// Empties the store, for one that is only there for tests.
    ///
    /// # Errors
    /// Whether it is emptied is not known.
    pub async fn reset(&self) -> Result<(), StoreError> {
        // A truncation would make new files, which takes far longer than a small store needs.
        let sql = "DELETE FROM specs; DELETE FROM jobs; DELETE FROM events; DELETE FROM claims;
            DELETE FROM workers; UPDATE switch SET open = true; ALTER SEQUENCE numbers RESTART";
        self.sessions.script(sql).await?;
        self.store.records().enrolled.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    /// The jobs with these creation numbers, in their order, each with its log.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn all_records(&self, numbers: Range<u32>) -> Result<Vec<(Record, Vec<Event>)>, StoreError> {
        self.store.records().all(numbers).await
    }
}

impl Store for PostgresStore {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        self.store.execute(call).await
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}
