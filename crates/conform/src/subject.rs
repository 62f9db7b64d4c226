use crate::ManualClock;
use holdover_jobs::Order;
use holdover_store::{Store, StoreError};
use std::future::Future;

/// Something that opens stores to be judged.
pub trait Subject: Sync {
    /// The store.
    type Store: Store;

    /// An empty store that hands jobs out in this order, [`Order::Created`] or [`Order::Fifo`], and whose own clock
    /// is this one. A store that was opened before is not used any more.
    ///
    /// # Errors
    /// The store cannot be opened or emptied.
    fn open(
        &self,
        order: Order,
        clock: ManualClock,
    ) -> impl Future<Output = Result<Self::Store, StoreError>> + Send;
}
