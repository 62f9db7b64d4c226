//! The tables of the file, version by version.

use crate::OpenError;
use holdover_jobs::Order;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::Path;

/// What makes each version out of the one before it; the first out of an empty file.
const MIGRATIONS: [&str; 1] = [include_str!("v1.sql")];

/// Says that a file is a store of ours: `HOLD`.
const APPLICATION: i32 = 0x484f_4c44;

/// The indexes by which jobs are handed out: of those that always are due, and of those that wait for their next
/// attempt. In the order of readiness a retry is ready when it is due, so that one range has those that are.
const FIFO: &str = "
    CREATE INDEX IF NOT EXISTS fifo_queued ON jobs (executor, ready_at) WHERE status = 1;
    CREATE INDEX IF NOT EXISTS fifo_retryable ON jobs (executor, ready_at) WHERE status = 4;
    DROP INDEX IF EXISTS created_queued;
    DROP INDEX IF EXISTS created_retryable;";
const CREATED: &str = "
    CREATE INDEX IF NOT EXISTS created_queued ON jobs (executor, created_at, collated) WHERE status = 1;
    CREATE INDEX IF NOT EXISTS created_retryable ON jobs (executor, created_at, collated, next_attempt_at)
        WHERE status = 4;
    DROP INDEX IF EXISTS fifo_queued;
    DROP INDEX IF EXISTS fifo_retryable;";

const EMPTY: &str = "
    DELETE FROM jobs; DELETE FROM specs; DELETE FROM events; DELETE FROM claims; DELETE FROM workers;
    UPDATE totals SET jobs = 0; UPDATE switch SET open = 1;";

/// What a file says of itself.
struct Mark {
    application: i32,
    version: i32,
    /// Whether it has any tables.
    filled: bool,
}

/// Whether the file is empty, or a store of a version that is known.
///
/// # Errors
/// It is something else, or cannot be read.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    mark(connection, path).map(|_| ())
}

fn mark(connection: &Connection, path: &Path) -> Result<Mark, OpenError> {
    let read = |sql| connection.query_row(sql, [], |row| row.get::<_, i32>(0));
    let read = |sql| read(sql).map_err(|error| OpenError::of(path, error));
    let mark = Mark {
        filled: read("SELECT count(*) FROM sqlite_schema")? > 0,
        application: read("PRAGMA application_id")?,
        version: read("PRAGMA user_version")?,
    };
    if mark.filled && mark.application != APPLICATION {
        return Err(OpenError::NotAStore { path: path.to_owned() });
    }
    if mark.filled && mark.version > MIGRATIONS.len() as i32 {
        let (found, known) = (mark.version, MIGRATIONS.len() as i32);
        return Err(OpenError::Newer { path: path.to_owned(), found, known });
    }
    Ok(mark)
}

/// Brings the file up to the version of today, with the indexes of this order; all of it or nothing.
///
/// # Errors
/// As [`check`], or the file cannot be written.
pub(crate) fn migrate(connection: &mut Connection, path: &Path, order: Order) -> Result<(), OpenError> {
    let is_current = |mark: &Mark| mark.filled && mark.version == MIGRATIONS.len() as i32;
    if is_current(&mark(connection, path)?) && has_indexes(connection, order).unwrap_or(false) {
        return Ok(());
    }
    let of = |error| OpenError::of(path, error);
    let transaction = Transaction::new(connection, TransactionBehavior::Immediate).map_err(of)?;
    // Somebody else may have done it while the lock was waited for.
    let mark = mark(&transaction, path)?;
    let done = if mark.filled { mark.version as usize } else { 0 };
    for (migration, version) in MIGRATIONS.iter().zip(1..).skip(done) {
        transaction.execute_batch(migration).map_err(of)?;
        transaction.pragma_update(None, "user_version", version).map_err(of)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION).map_err(of)?;
    transaction.execute_batch(indexes(order)).map_err(of)?;
    transaction.commit().map_err(of)
}

fn indexes(order: Order) -> &'static str {
    match order {
        Order::Created => CREATED,
        Order::Fifo | Order::TenantRing => FIFO,
    }
}

fn has_indexes(connection: &Connection, order: Order) -> rusqlite::Result<bool> {
    let prefix = if order == Order::Created { "created_%" } else { "fifo_%" };
    let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name LIKE ?1";
    Ok(connection.query_row(sql, [prefix], |row| row.get::<_, i64>(0))? == 2)
}

/// Takes everything out of the file.
pub(crate) fn empty(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
    transaction.execute_batch(EMPTY)?;
    transaction.commit()
}
