use holdover_jobs::Status;
use rusqlite::{Connection, Result, params};
use std::cell::Cell;

/// How many jobs a transaction has moved into each status, less those that it has moved out: added to the totals in the
/// file once, and not with every job.
#[derive(Default)]
pub(crate) struct Totals(Cell<[i64; Status::ALL.len()]>);

impl Totals {
    /// A job is new in this status.
    pub(crate) fn entered(&self, status: Status) {
        self.add(status, 1);
    }

    /// A job has gone from one status to another, or has stayed where it was.
    pub(crate) fn moved(&self, from: Status, to: Status) {
        self.add(from, -1);
        self.add(to, 1);
    }

    fn add(&self, status: Status, jobs: i64) {
        let mut moved = self.0.get();
        moved[status as usize] += jobs;
        self.0.set(moved);
    }

    /// Nothing of the transaction stays.
    pub(crate) fn forget(&self) {
        self.0.take();
    }

    /// Adds them to the totals in the file.
    ///
    /// # Errors
    /// The file cannot be written; the transaction is to be taken back.
    pub(crate) fn write(&self, connection: &Connection) -> Result<()> {
        for (status, jobs) in (0_i64..).zip(self.0.take()).filter(|(_, jobs)| *jobs != 0) {
            let sql = "UPDATE totals SET jobs = jobs + ?2 WHERE status = ?1";
            connection.prepare_cached(sql)?.execute(params![status, jobs])?;
        }
        Ok(())
    }
}
