use crate::{EXECUTOR_TYPE, PageError};
use holdover_machine::Secret;
use thiserror::Error;

/// Why a pass could not begin. Everything later is a count in the summary.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum PassError {
    /// The listing failed. What the port said is for the caller alone.
    #[error("the recovery candidates could not be listed")]
    Listing(Secret<String>),
    /// The listing answered something that is no page.
    #[error("malformed recovery page: {0}")]
    Page(#[from] PageError),
}

/// A pass that cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The inspector knows processes of another kind.
    #[error("an inspector of `{0}` executors; the pass needs one of `{EXECUTOR_TYPE}`")]
    Inspector(String),
}
