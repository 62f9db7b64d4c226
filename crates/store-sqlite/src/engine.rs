use crate::clock::Clock;
use crate::{read, write};
use holdover_jobs::records::{Found, Step};
use holdover_jobs::{Call, Order, Reply};
use rusqlite::{Connection, Result};
use std::sync::Arc;

/// A connection that carries calls out, inside a transaction that others begin and end.
pub(crate) struct Engine {
    pub(crate) connection: Connection,
    pub(crate) clock: Arc<Clock>,
    pub(crate) order: Order,
}

impl Engine {
    /// Carries a call out. What it reads and what it writes is one transaction, so nobody else comes in between.
    ///
    /// # Errors
    /// The file cannot be read or written. What was written until then is for the caller to take back.
    pub(crate) fn carry_out(&self, call: &Call) -> Result<Reply> {
        let mut step = Step::new(call, self.clock.judges(call.stamp), self.order);
        let mut before = Vec::new();
        loop {
            let needs = step.needs();
            if needs.is_empty() {
                break;
            }
            for need in needs {
                let found = read::read(&self.connection, &need)?;
                if let Found::Jobs(jobs) = &found {
                    before.extend(jobs.iter().cloned());
                }
                step.found(need, found);
            }
        }
        let (reply, changes) = step.carry_out();
        if !changes.is_empty() {
            write::write(&self.connection, &changes, &before)?;
        }
        Ok(reply)
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
        if self.connection.is_autocommit() { Ok(()) } else { self.execute("ROLLBACK") }
    }

    fn execute(&self, sql: &str) -> Result<()> {
        self.connection.prepare_cached(sql)?.execute([]).map(|_| ())
    }
}
