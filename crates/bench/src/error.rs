use holdover::history::HistoryError;
use holdover_store::StoreError;
use thiserror::Error;

/// Why a store could not be measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The store failed.
    #[error("a {what} failed: {source}")]
    Store {
        /// What was asked of it.
        what: &'static str,
        /// What it said.
        source: StoreError,
    },
    /// A job could not be created, for the store is not empty or does not work.
    #[error("job {number} of the backlog was not created: {said}")]
    Backlog {
        /// Its number.
        number: u64,
        /// What the store said.
        said: String,
    },
    /// What was noted is no history.
    #[error("the history cannot be checked: {0}")]
    History(#[from] HistoryError),
}
