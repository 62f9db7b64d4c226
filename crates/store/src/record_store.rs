use crate::{HeldClock, Records, Store, StoreError};
use holdover_jobs::records::{Changes, Need, Step};
use holdover_jobs::rules::Floor;
use holdover_jobs::{Call, Order, Reply, Stamp};
use holdover_machine::StoreTime;
use std::sync::Arc;

/// So often others may change what a call is about while it is carried out; then it fails, and nothing has happened.
const TRIES_MAX: u32 = 100;

/// A store of records with the job protocol on top.
#[derive(Debug)]
pub struct RecordStore<R> {
    records: R,
    order: Order,
    held: Arc<HeldClock>,
}

impl<R: Records> RecordStore<R> {
    /// A store that hands jobs out in this order. [`Order::TenantRing`] is not offered on records, where it would
    /// make claims wait for one another: jobs are handed out as by [`Order::Fifo`].
    pub fn new(records: R, order: Order) -> Self {
        Self::sharing_clock(records, order, Arc::default())
    }

    /// The same, with the clock that stands still shared with the records, whose shortcuts judge by it too.
    pub fn sharing_clock(records: R, order: Order, held: Arc<HeldClock>) -> Self {
        Self { records, order, held }
    }

    /// The records.
    pub fn records(&self) -> &R {
        &self.records
    }

    /// The records by themselves, for another store on them.
    pub fn into_records(self) -> R {
        self.records
    }

    async fn judged_at(&self, stamp: Stamp) -> Result<StoreTime, StoreError> {
        match stamp {
            Stamp::Caller(time) => Ok(time),
            Stamp::Store(Floor::Absent) => self.records.now().await,
            Stamp::Store(Floor::Held) => Ok(self.held.hold(self.records.now().await?)),
        }
    }

    /// Reads what the call is about, and says what it would come to.
    async fn prepare(&self, call: &Call) -> Result<(Reply, Changes), StoreError> {
        let mut step = Step::new(call, self.judged_at(call.stamp).await?, self.order);
        loop {
            let needs: Vec<Need> = step.needs();
            if needs.is_empty() {
                return Ok(step.carry_out());
            }
            let found = self.records.read(&needs).await?;
            needs.into_iter().zip(found).for_each(|(need, found)| step.found(need, found));
        }
    }
}

impl<R: Records> Store for RecordStore<R> {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        if let Some(reply) = self.records.shortcut(&call).await? {
            return Ok(reply);
        }
        for _ in 0..TRIES_MAX {
            let (reply, changes) = self.prepare(&call).await.map_err(StoreError::certain)?;
            if changes.is_empty() || self.records.commit(&changes).await? {
                return Ok(reply);
            }
        }
        Err(StoreError::Failed(format!("others changed the same jobs {TRIES_MAX} times meanwhile")))
    }
}
