use holdover_machine::Outcome;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a store did not answer a call.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum StoreError {
    /// The call was certainly not carried out.
    #[error("the call was not carried out: {0}")]
    Failed(String),
    /// The call may or may not have been carried out.
    #[error("it is not known whether the call was carried out: {0}")]
    Unknown(String),
}

impl StoreError {
    /// The error of something that changes nothing: it certainly was not carried out.
    #[must_use]
    pub fn certain(self) -> Self {
        match self {
            Self::Failed(why) | Self::Unknown(why) => Self::Failed(why),
        }
    }

    /// The outcome as a machine takes it.
    pub fn outcome<T>(result: Result<T, Self>) -> Outcome<T> {
        match result {
            Ok(value) => Outcome::Ok(value),
            Err(Self::Failed(why)) => Outcome::Failed(why),
            Err(Self::Unknown(why)) => Outcome::Unknown(why),
        }
    }
}
