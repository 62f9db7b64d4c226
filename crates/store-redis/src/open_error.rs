use thiserror::Error;

/// Why a store was not opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The URL is not one of a Redis server. It is not repeated, for it may hold a password.
    #[error("the URL is not that of a Redis server ({0}): it should be redis://HOST:PORT/")]
    Url(String),
    /// The prefix could be mistaken for another, or for a pattern.
    #[error("the prefix {0:?} should be 1 to 64 of a-z, A-Z, 0-9, :, _ and -")]
    Prefix(String),
    /// The server does not answer, or refuses.
    #[error("the Redis server cannot be used: {0}")]
    Server(String),
    /// Under the prefix is a store that was made otherwise.
    #[error(
        "under the prefix {prefix} is a store of the form \"{found}\", not \"{wanted}\": use another prefix"
    )]
    Form {
        /// The prefix.
        prefix: String,
        /// What is there: the version of the layout, and the order.
        found: String,
        /// What would have been right.
        wanted: String,
    },
}
