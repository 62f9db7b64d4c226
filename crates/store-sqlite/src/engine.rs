use crate::clock::Clock;
use crate::fault::Fault;
use crate::totals::Totals;
use crate::write::Before;
use crate::{OpenError, Options, connect, read, write};
use holdover_jobs::records::{Need, Step};
use holdover_jobs::{Call, Event, Order, Record, Reply};
use holdover_store::StoreError;
use rusqlite::{Connection, Result, ffi};
use std::fmt;
use std::sync::Arc;

/// A connection that carries calls out on the thread of its caller. [`SqliteStore`](crate::SqliteStore) has threads for
/// it; who has a schedule of their own, such as a simulation, does without.
pub struct Engine {
    pub(crate) connection: Connection,
    pub(crate) clock: Arc<Clock>,
    pub(crate) order: Order,
    totals: Totals,
}

impl Engine {
    /// Opens the file for writing, or makes it.
    ///
    /// # Errors
    /// The file cannot be used; nothing in it was changed.
    pub fn open(options: &Options) -> std::result::Result<Self, OpenError> {
        let clock = Arc::new(Clock::new(options.clock.clone()));
        Ok(Self::new(connect::to_write(options)?, clock, options.offered_order()))
    }

    /// Every record with its events, in order of creation, as this connection sees them.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn all_records(&self) -> std::result::Result<Vec<(Record, Vec<Event>)>, StoreError> {
        let all = self.in_transaction(|engine| {
            let sound: String =
                engine.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
            match sound.as_str() {
                "ok" => read::records(&engine.connection, 0, u32::MAX),
                _ => Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), Some(sound))),
            }
        });
        let all = all.map_err(|error| Fault::Before(error).error())?;
        Ok(all.into_iter().map(|(job, events)| ((*job.record).clone(), events)).collect())
    }

    /// Reads in one transaction.
    pub(crate) fn in_transaction<T>(&self, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        self.begin()?;
        let result = read(self);
        let ended = self.roll_back();
        result.and_then(|value| ended.map(|()| value))
    }

    pub(crate) fn new(connection: Connection, clock: Arc<Clock>, order: Order) -> Self {
        Self { connection, clock, order, totals: Totals::default() }
    }

    /// Carries a call out. What it reads and what it writes is one transaction, so nobody else comes in between; its
    /// totals are written by [`Engine::settle`].
    ///
    /// # Errors
    /// The file cannot be read or written. What was written until then is for the caller to take back.
    pub(crate) fn carry_out(&self, call: &Call) -> Result<Reply> {
        let mut step = Step::new(call, self.clock.judges(call.stamp), self.order);
        let mut before = Before::default();
        loop {
            let needs = step.needs();
            if needs.is_empty() {
                break;
            }
            for need in needs {
                if matches!(need, Need::Counts { .. } | Need::Stats { .. }) {
                    self.settle()?;
                }
                let found = read::read(&self.connection, &need)?;
                before.learn(&found);
                step.found(need, found);
            }
        }
        let (reply, changes) = step.carry_out();
        if !changes.is_empty() {
            write::write(&self.connection, &changes, &before, &self.totals)?;
        }
        Ok(reply)
    }

    /// Writes what the calls of a transaction have left to be written once, before it is committed.
    ///
    /// # Errors
    /// The file cannot be written; the transaction is to be taken back.
    pub(crate) fn settle(&self) -> Result<()> {
        self.totals.write(&self.connection)
    }

    /// Begins a transaction that takes the lock for writing with its first change. One that could not be taken back
    /// before is taken back now.
    pub(crate) fn begin(&self) -> Result<()> {
        self.roll_back()?;
        self.execute("BEGIN")
    }

    /// Begins a transaction that has the lock for writing, after waiting for it.
    pub(crate) fn begin_immediate(&self) -> Result<()> {
        self.roll_back()?;
        self.execute("BEGIN IMMEDIATE")
    }

    pub(crate) fn commit(&self) -> Result<()> {
        self.execute("COMMIT")
    }

    /// Takes the transaction back, unless that has been done already: some errors do it.
    pub(crate) fn roll_back(&self) -> Result<()> {
        self.totals.forget();
        if self.connection.is_autocommit() { Ok(()) } else { self.execute("ROLLBACK") }
    }

    fn execute(&self, sql: &str) -> Result<()> {
        self.connection.prepare_cached(sql)?.execute([]).map(|_| ())
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("connection", &self.connection).finish_non_exhaustive()
    }
}
