use crate::clock::instant;
use crate::peer::{ExchangeError, Peer, Response};
use crate::service::JobRequest;
use crate::watch::Watch;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use thiserror::Error;
use tokio::time::sleep;

/// A refusal, as it crosses the wire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Error)]
#[error("{code}: {message}")]
pub struct Refused {
    /// The code for programs.
    pub code: String,
    /// The status, as HTTP has them.
    pub status: u16,
    /// The message for people.
    pub message: String,
    /// Details for programs; null where there are none.
    #[serde(default)]
    pub details: Value,
}

/// Why a call did not succeed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CallError {
    /// The service refused it.
    #[error(transparent)]
    Refused(Refused),
    /// It was certainly not carried out.
    #[error("not sent: {0}")]
    NotSent(String),
    /// It may have been carried out.
    #[error("sent and not answered: {0}")]
    Unanswered(String),
}

impl CallError {
    /// Whether another try may help: it was not answered, or a store behind the service was not.
    pub fn is_worth_a_repeat(&self) -> bool {
        match self {
            Self::Refused(refused) => refused.status == 503,
            Self::NotSent(_) | Self::Unanswered(_) => true,
        }
    }

    /// Whether the request may have been carried out all the same.
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Refused(refused) => refused.code == "EXECUTOR_STORE_OUTCOME_UNKNOWN",
            Self::Unanswered(_) => true,
            Self::NotSent(_) => false,
        }
    }
}

impl From<ExchangeError> for CallError {
    fn from(error: ExchangeError) -> Self {
        match error {
            ExchangeError::NotSent(why) => Self::NotSent(why),
            ExchangeError::Unanswered(why) => Self::Unanswered(why),
        }
    }
}

/// How long a client waits.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the answer to one try.
    pub attempt: Duration,
    /// Between two tries.
    pub pause: Duration,
    /// For an answer at all: no try begins later.
    pub deadline: Duration,
}

/// Somebody who asks services. Each try goes to the next of them.
pub struct Client {
    services: Vec<Peer>,
    next: AtomicUsize,
    patience: Patience,
    watch: Option<Arc<dyn Watch>>,
}

impl Client {
    /// A client of the services at these addresses.
    ///
    /// # Panics
    /// Without any address.
    pub fn new<A: Into<String>>(services: impl IntoIterator<Item = A>, patience: Patience) -> Self {
        let services: Vec<Peer> = services.into_iter().map(Peer::new).collect();
        assert!(!services.is_empty(), "a client needs a service");
        Self { services, next: AtomicUsize::new(0), patience, watch: None }
    }

    /// The same client, watched.
    #[must_use]
    pub fn watched(self, watch: Arc<dyn Watch>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// Asks, and asks again until there is an answer that another try would not change, or the deadline has passed.
    /// The operations of the protocol are idempotent, so a repeat of one that was carried out is harmless.
    ///
    /// # Errors
    /// What the last try met; but once a try may have been carried out, never that it was certainly not.
    pub async fn call(&self, operation: &str, arguments: &Value) -> Result<Value, CallError> {
        let begin = instant();
        let mut unknown = None;
        loop {
            let error = match self.once(operation, arguments).await {
                Err(error) if error.is_worth_a_repeat() => error,
                settled => return settled,
            };
            if error.is_unknown() {
                unknown = Some(error.clone());
            }
            if begin.elapsed() + self.patience.pause >= self.patience.deadline {
                return Err(unknown.unwrap_or(error));
            }
            sleep(self.patience.pause).await;
        }
    }

    /// Asks once.
    ///
    /// # Errors
    /// The refusal, or whether the request may have been carried out.
    pub async fn once(&self, operation: &str, arguments: &Value) -> Result<Value, CallError> {
        let request = self.watch.as_ref().map(|watch| watch.sent(operation, arguments));
        let outcome = self.exchange(operation, arguments).await;
        if let (Some(watch), Some(request)) = (&self.watch, request) {
            watch.ended(request, &outcome);
        }
        outcome
    }

    async fn exchange(&self, operation: &str, arguments: &Value) -> Result<Value, CallError> {
        let place = self.next.fetch_add(1, Ordering::Relaxed) % self.services.len();
        let request = JobRequest { operation, arguments };
        match self.services[place].exchange(&request, self.patience.attempt).await? {
            Response::Ok(answer) => Ok(answer),
            Response::Error(refused) => Err(CallError::Refused(refused)),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("services", &self.services)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}
