//! What errors of the database say of a call.

use holdover_store::StoreError;
use rusqlite::{Error, ErrorCode, ffi};

/// Why a group of calls was not carried out, or perhaps not.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Something failed before the commit, and all of it was taken back.
    Before(Error),
    /// The commit failed.
    Commit(Error),
}

impl Fault {
    /// Whether somebody else had the lock for writing.
    pub(crate) fn is_busy(&self) -> bool {
        let (Self::Before(error) | Self::Commit(error)) = self;
        matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
    }

    /// Whether nothing of it has happened.
    ///
    /// A commit is the write of one last frame to the log, and then its flush. If SQLite reports that it could not
    /// write, there is no such frame, and what there is of others is not read: the transaction did not happen. If it
    /// reports anything else, such as a failed flush, the frame may be there and be found after a crash, until the
    /// next commit is written over it.
    pub(crate) fn is_certain(&self) -> bool {
        let Self::Commit(error) = self else { return true };
        let unwritten = error.sqlite_extended_error_code() == Some(ffi::SQLITE_IOERR_WRITE);
        let full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
        self.is_busy() || full || unwritten
    }

    /// As the store's caller is told.
    pub(crate) fn error(&self) -> StoreError {
        let (Self::Before(error) | Self::Commit(error)) = self;
        match self.is_certain() {
            true => StoreError::Failed(sentence(error)),
            false => StoreError::Unknown(sentence(error)),
        }
    }
}

/// What is wrong, with what SQLite says of it.
pub(crate) fn sentence(error: &Error) -> String {
    let what = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "the database is locked by another process"
        }
        Some(ErrorCode::DiskFull) => "the disk is full",
        Some(ErrorCode::ReadOnly) => "the database cannot be written",
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => "the file is damaged",
        Some(ErrorCode::SystemIoFailure) => "the disk failed",
        Some(ErrorCode::CannotOpen) => "the file cannot be opened",
        _ if matches!(error, Error::FromSqlConversionFailure(..)) => {
            "the file holds what no store has written"
        }
        _ => "the database failed",
    };
    match error.sqlite_extended_error_code() {
        Some(code) => format!("{what} ({error}, SQLite code {code})"),
        None => format!("{what} ({error})"),
    }
}
