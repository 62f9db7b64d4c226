use std::io;
use thiserror::Error;

/// Why a run could not be made or judged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TortureError {
    /// The system did not do what was asked of it.
    #[error("{what}: {source}")]
    System {
        /// What was being done.
        what: &'static str,
        /// What went wrong.
        source: io::Error,
    },
    /// The server could not be killed or started again.
    #[error("the server: {0}")]
    Server(String),
    /// The store could not be opened after the run.
    #[error("the store cannot be opened after the run: {0}")]
    Open(String),
    /// The store refuses what it must carry out in peace.
    #[error("the store fails in peace: {0}")]
    Peace(String),
}

impl TortureError {
    pub(super) fn doing(what: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::System { what, source }
    }
}
