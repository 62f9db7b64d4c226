//! Jobs as records: what is asked for is read, and what is changed is committed if it is still as it was found.

mod commit;
mod read;

use crate::failure::Failure;
use crate::session::{CLOCK, Sessions, rows};
use crate::short::Bounds;
use holdover_jobs::records::{Changes, Found, Need};
use holdover_jobs::{Call, Event, Order, Record, Reply};
use holdover_machine::StoreTime;
use holdover_store::{HeldClock, Records, StoreError};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// The records of a schema.
pub struct PostgresRecords {
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) order: Order,
    pub(crate) held: Arc<HeldClock>,
    pub(crate) bounds: Bounds,
    /// The processes that have a place for their last claim, as far as this one knows.
    pub(crate) enrolled: Mutex<BTreeSet<String>>,
}

impl PostgresRecords {
    /// The jobs with these creation numbers, in their order, each with its log.
    pub(crate) async fn all(&self, numbers: Range<u32>) -> Result<Vec<(Record, Vec<Event>)>, StoreError> {
        self.sessions.read(async |session| read::all(session, &numbers).await).await
    }
}

impl Records for PostgresRecords {
    async fn now(&self) -> Result<StoreTime, StoreError> {
        if let Some(reading) = self.sessions.reading() {
            return Ok(reading);
        }
        self.sessions
            .read(async |session| {
                let found = rows(session, &format!("SELECT {CLOCK}"), &[]).await?;
                Ok(StoreTime::from_ms(read::only(&found)?))
            })
            .await
    }

    async fn read(&self, needs: &[Need]) -> Result<Vec<Found>, StoreError> {
        self.sessions
            .read(async |session| {
                let mut found = Vec::with_capacity(needs.len());
                for need in needs {
                    found.push(read::need(session, need).await?);
                }
                Ok(found)
            })
            .await
    }

    async fn commit(&self, changes: &Changes) -> Result<bool, StoreError> {
        let done = self
            .sessions
            .transact(async |session| {
                let transaction =
                    session.transaction().await.map_err(|error| Failure::of(&error).undone())?;
                if !commit::apply(&transaction, changes).await? {
                    return Ok(false);
                }
                transaction.commit().await.map_err(|error| Failure::of(&error))?;
                Ok(true)
            })
            .await;
        for changed in &changes.jobs {
            self.bounds.written(&changed.record);
        }
        match done {
            Ok(done) => Ok(done),
            // Others were at the same jobs, ids, keys or claims, and have won.
            Err(Failure::Contended(_) | Failure::Unfit(_)) => Ok(false),
            Err(failure) => Err(failure.error()),
        }
    }

    async fn shortcut(&self, call: &Call) -> Result<Option<Reply>, StoreError> {
        self.short(call).await
    }
}

impl fmt::Debug for PostgresRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresRecords").finish_non_exhaustive()
    }
}
