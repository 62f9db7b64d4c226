use crate::frame::{FrameError, read_frame, write_frame};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The most connections that are kept open between two requests.
const IDLE_MAX: usize = 16;

/// What a server answers to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Response<A, E> {
    /// It was carried out.
    Ok(A),
    /// It was refused.
    Error(E),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The request was certainly not carried out: it never left.
    #[error("not sent: {0}")]
    NotSent(String),
    /// The request may have been carried out.
    #[error("sent and not answered: {0}")]
    Unanswered(String),
}

/// A server, and the connections to it. Each carries one request at a time; one whose answer does not come is given
/// up, so that a late answer is never taken for that of another request.
#[derive(Debug)]
pub struct Peer {
    address: String,
    idle: Mutex<Vec<TcpStream>>,
}

impl Peer {
    /// The server at an address, `host:port`. Nothing is connected yet.
    pub fn new(address: impl Into<String>) -> Self {
        Self { address: address.into(), idle: Mutex::new(Vec::new()) }
    }

    /// Sends a request and waits for its answer, for `within` altogether.
    ///
    /// # Errors
    /// Whether the request was certainly not carried out, or may have been.
    pub async fn exchange<A: DeserializeOwned>(
        &self,
        request: &impl Serialize,
        within: Duration,
    ) -> Result<A, ExchangeError> {
        let frame = serde_json::to_vec(request).map_err(|error| ExchangeError::NotSent(error.to_string()))?;
        let mut sent = false;
        match timeout(within, self.exchange_frame(&frame, &mut sent)).await {
            Ok(answer) => read_answer(&answer?),
            Err(_) if sent => Err(ExchangeError::Unanswered(format!("no answer within {within:?}"))),
            Err(_) => {
                Err(ExchangeError::NotSent(format!("{} did not answer within {within:?}", self.address)))
            }
        }
    }

    async fn exchange_frame(&self, frame: &[u8], sent: &mut bool) -> Result<Vec<u8>, ExchangeError> {
        let idle = self.idle().pop();
        let mut stream = match idle {
            Some(stream) => stream,
            None => TcpStream::connect(&self.address)
                .await
                .map_err(|error| ExchangeError::NotSent(format!("{}: {error}", self.address)))?,
        };
        // From here on the server may get all of it, whatever this side hears of it.
        *sent = true;
        let answer = match write_frame(&mut stream, frame).await {
            Err(error @ FrameError::TooLarge { .. }) => {
                return Err(ExchangeError::NotSent(error.to_string()));
            }
            Err(error) => Err(error),
            Ok(()) => read_frame(&mut stream).await,
        };
        match answer {
            Ok(Some(answer)) => {
                self.keep(stream);
                Ok(answer)
            }
            Ok(None) => Err(ExchangeError::Unanswered("the connection was closed".into())),
            Err(error) => Err(ExchangeError::Unanswered(error.to_string())),
        }
    }

    fn keep(&self, stream: TcpStream) {
        let mut idle = self.idle();
        if idle.len() < IDLE_MAX {
            idle.push(stream);
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<TcpStream>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer that cannot be read says nothing about what was carried out.
fn read_answer<A: DeserializeOwned>(frame: &[u8]) -> Result<A, ExchangeError> {
    serde_json::from_slice(frame)
        .map_err(|error| ExchangeError::Unanswered(format!("the answer is malformed: {error}")))
}
