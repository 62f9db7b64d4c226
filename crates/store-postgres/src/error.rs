use thiserror::Error;

/// Why a store was not opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The address cannot be read.
    #[error(
        "the address of the store: {0}; postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME would do"
    )]
    Address(String),
    /// The schema's name is none.
    #[error("the schema `{0}`: a name has 1 to 63 of a-z, 0-9 and _, and does not begin with a digit")]
    Schema(String),
    /// The server cannot be reached.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The schema could not be made or brought up to date.
    #[error("the schema `{schema}` cannot be brought up to date: {why}")]
    Migration {
        /// The schema.
        schema: String,
        /// What the server said.
        why: String,
    },
    /// The schema was made by a later version than this.
    #[error(
        "the schema `{schema}` is of version {found}, and this program knows versions up to {known}: use a later one"
    )]
    Later {
        /// The schema.
        schema: String,
        /// Its version.
        found: i64,
        /// The last version that is known.
        known: i64,
    },
}
