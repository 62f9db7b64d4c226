use crate::StoreError;
use holdover_jobs::records::{Changes, Found, Need};
use holdover_jobs::{Call, Reply};
use holdover_machine::StoreTime;
use std::future::Future;

/// A store that can keep jobs and find them in order, but knows nothing of leases: with
/// [`RecordStore`](crate::RecordStore) around it it carries out every command.
///
/// What each need means is [`Need::among`]; a store that is small can answer by it.
pub trait Records: Send + Sync + 'static {
    /// The time by the store's own clock.
    ///
    /// # Errors
    /// The clock cannot be read.
    fn now(&self) -> impl Future<Output = Result<StoreTime, StoreError>> + Send;

    /// What is found for each of these needs, in their order. They need not be read in one step: what must not have
    /// changed since is among the conditions of the commit.
    ///
    /// # Errors
    /// The store cannot be read. Nothing is changed by reading, so both kinds of error mean the same here.
    fn read(&self, needs: &[Need]) -> impl Future<Output = Result<Vec<Found>, StoreError>> + Send;

    /// Makes all these changes in one durable step if every condition holds, and says whether it did. With `false`
    /// nothing is changed.
    ///
    /// # Errors
    /// Whether the changes were certainly not made, or may have been.
    fn commit(&self, changes: &Changes) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Carries a whole call out where the store has a better way than the one above, such as one statement; `None`
    /// where it has not, or where that way does not apply and nothing was changed.
    ///
    /// # Errors
    /// Whether the call was certainly not carried out, or may have been.
    fn shortcut(&self, call: &Call) -> impl Future<Output = Result<Option<Reply>, StoreError>> + Send {
        let _ = call;
        async { Ok(None) }
    }
}
