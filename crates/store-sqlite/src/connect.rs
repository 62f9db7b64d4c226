//! Connections as a store wants them.

use crate::{OpenError, Options, schema};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Result};

/// More statements than the store has, so that each is prepared once.
const STATEMENTS: usize = 256;

/// What the writer keeps of the file in memory, in KiB as SQLite counts it: the ends of the indexes and the latest rows
/// of a queue. Much more would cost more than it saves: SQLite goes through its table of pages with a commit.
const WRITER_CACHE: i64 = -8_192;

/// After so many pages (32 MiB) the log is brought into the file. Everyone waits for that, so it must be rare; and a
/// page that was written many times meanwhile is brought in once.
const CHECKPOINT_PAGES: u32 = 8_000;

/// The connection of the writer, to a file that is made or brought up to date first.
pub(crate) fn to_write(options: &Options) -> std::result::Result<Connection, OpenError> {
    let path = &options.path;
    let of = |error| OpenError::of(path, error);
    let mut connection = connect(options).map_err(of)?;
    // SQLite opens a file that it may not write as one to be read.
    if connection.is_readonly(rusqlite::MAIN_DB).map_err(of)? {
        return Err(OpenError::ReadOnly { path: path.clone() });
    }
    // Before anything is changed: somebody else's file stays as it is.
    schema::check(&connection, path)?;
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).map_err(of)?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(OpenError::NoLog { path: path.clone(), mode });
    }
    connection.pragma_update(None, "synchronous", options.durability.synchronous()).map_err(of)?;
    connection.pragma_update(None, "cache_size", WRITER_CACHE).map_err(of)?;
    let set = connection.pragma_update_and_check(None, "wal_autocheckpoint", CHECKPOINT_PAGES, |_| Ok(()));
    set.map_err(of)?;
    schema::migrate(&mut connection, path, options.order)?;
    if let Some(pages) = options.pages_max {
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).map_err(of)?;
    }
    Ok(connection)
}

/// The connection of a reader, to a file that the writer has opened.
pub(crate) fn to_read(options: &Options) -> std::result::Result<Connection, OpenError> {
    let connection = connect(options).and_then(|connection| {
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    });
    connection.map_err(|error| OpenError::of(&options.path, error))
}

fn connect(options: &Options) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = match &options.vfs {
        Some(vfs) => Connection::open_with_flags_and_vfs(&options.path, flags, vfs.as_str()),
        None => Connection::open_with_flags(&options.path, flags),
    }?;
    connection.busy_timeout(options.busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Without it a statement with a bound limit is prepared anew each time, in case another plan were better.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}
