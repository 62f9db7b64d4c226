//! What an error of the server or of the connection means for a call.

use deadpool_postgres::PoolError;
use holdover_store::StoreError;
use std::error::Error as _;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// Why a statement was not carried out, or may not have been.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Others were at the same rows at the same time; nothing was changed, and it can be tried again.
    Contended(String),
    /// The statement cannot do what is asked; nothing was changed.
    Unfit(String),
    /// Nothing was changed.
    Failed(String),
    /// Whether anything was changed is not known.
    Unknown(String),
}

impl Failure {
    /// What it means that a statement has ended in this error, which may have been its commit.
    pub(crate) fn of(error: &Error) -> Self {
        let why = describe(error);
        let Some(code) = error.code() else { return Self::Unknown(why) };
        if [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(code) {
            return Self::Contended(why);
        }
        let unfit = [SqlState::UNIQUE_VIOLATION, SqlState::NUMERIC_VALUE_OUT_OF_RANGE];
        if code.code() == "HO001" || unfit.contains(code) {
            return Self::Unfit(why);
        }
        // The server ends, or has lost its way: it may say so after the commit. Every other error it says instead.
        let shaken = ["08", "57P", "58", "XX", "40003"];
        if shaken.iter().any(|class| code.code().starts_with(class)) {
            return Self::Unknown(why);
        }
        Self::Failed(why)
    }

    /// The same of a statement that was not to commit: nothing was changed in any case.
    pub(crate) fn undone(self) -> Self {
        match self {
            Self::Unknown(why) => Self::Failed(why),
            other => other,
        }
    }

    /// The error of a call that has ended so.
    pub(crate) fn error(self) -> StoreError {
        match self {
            Self::Contended(why) | Self::Unfit(why) | Self::Failed(why) => StoreError::Failed(why),
            Self::Unknown(why) => StoreError::Unknown(why),
        }
    }
}

/// The error of something that only reads, or that has not been committed.
pub(crate) fn certain(error: Error) -> StoreError {
    StoreError::Failed(describe(&error))
}

/// No connection could be had.
pub(crate) fn unreachable(error: &PoolError) -> StoreError {
    StoreError::Failed(match error {
        PoolError::Backend(error) => format!("the server cannot be reached: {}", describe(error)),
        other => format!("no connection could be had: {other}"),
    })
}

/// What was kept cannot be read.
pub(crate) fn unreadable(what: &str, why: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("{what} in the store cannot be read: {why}"))
}

/// The error in one line, with what the server said of it.
pub(crate) fn describe(error: &Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => format!("{} ({})", said.message(), said.code().code()),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}
