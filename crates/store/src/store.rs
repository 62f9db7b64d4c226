use crate::StoreError;
use holdover_jobs::{Call, Reply};
use std::future::Future;
use std::sync::Arc;

/// A store of jobs, as a service sees it.
pub trait Store: Send + Sync + 'static {
    /// Carries a call out in one step, all of it or nothing.
    ///
    /// # Errors
    /// Whether the call was certainly not carried out, or may have been.
    fn execute(&self, call: Call) -> impl Future<Output = Result<Reply, StoreError>> + Send;
}

impl<S: Store> Store for Arc<S> {
    fn execute(&self, call: Call) -> impl Future<Output = Result<Reply, StoreError>> + Send {
        (**self).execute(call)
    }
}
