use crate::peer::{ExchangeError, Peer, Response};
use holdover_jobs::{Call, Reply};
use holdover_store::{Store, StoreError};
use std::time::Duration;

/// A store in another process. A call is sent once: the store knows no idempotency, so that who repeats must be
/// somebody who knows what a repeat would mean.
#[derive(Debug)]
pub struct RemoteStore {
    peer: Peer,
    within: Duration,
}

impl RemoteStore {
    /// The store node at an address, with the time that it is given for each call.
    pub fn new(address: impl Into<String>, within: Duration) -> Self {
        Self { peer: Peer::new(address), within }
    }
}

impl Store for RemoteStore {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        match self.peer.exchange(&call, self.within).await {
            Ok(Response::Ok(reply)) => Ok(reply),
            Ok(Response::Error(error)) => Err(error),
            Err(ExchangeError::NotSent(why)) => Err(StoreError::Failed(why)),
            Err(ExchangeError::Unanswered(why)) => Err(StoreError::Unknown(why)),
        }
    }
}
