use crate::fault;
use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a store could not be opened. Nothing in the file was changed, unless its disk failed meanwhile.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The URL is none of this store.
    #[error("{url} names no SQLite store: write sqlite: and the path of its file, such as sqlite:jobs.db")]
    Url {
        /// The URL.
        url: String,
    },
    /// The file is no database.
    #[error("{path} is not an SQLite database; name a file that is a store, or one that is not there yet")]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is a database of something else.
    #[error("{path} is an SQLite database of something else; a store needs a file of its own")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later version.
    #[error(
        "{path} is a store of schema version {found}, and this build knows versions up to {known}; use a newer one"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i32,
        /// The latest version that is known here.
        known: i32,
    },
    /// The file, or its folder, cannot be written.
    #[error("{path} cannot be written; a store needs write access to its file and to the folder of it")]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened or created.
    #[error("{path} cannot be opened; its folder must exist and may be written")]
    Unreachable {
        /// The file.
        path: PathBuf,
    },
    /// Another process held the file for longer than was waited.
    #[error("{path} is locked by another process")]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file system does not offer what a store needs to be safe.
    #[error(
        "{path} is on a file system without shared memory for a write-ahead log (it stayed in mode {mode}); use a local disk"
    )]
    NoLog {
        /// The file.
        path: PathBuf,
        /// The journal mode that it stayed in.
        mode: String,
    },
    /// Anything else that went wrong with the file.
    #[error("{path}: {why}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

impl OpenError {
    pub(crate) fn of(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotADatabase { path },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { path },
            Some(ErrorCode::CannotOpen) => Self::Unreachable { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            _ => Self::Failed { path, why: fault::sentence(&error) },
        }
    }
}
