//! The first jobs to hand out.

use holdover_jobs::{Order, Text};
use holdover_machine::StoreTime;
use rusqlite::{Connection, Params, Result};
use std::collections::BTreeSet;

/// Where a job stands in its line: its time, the bytes of its id where those break ties, its number.
type Place = (i64, Vec<u8>, u32);

/// The heads of the two lines of an executor: jobs that always are due, and retries that are. A retry is ready when
/// it is due, so that those that still wait are beyond the end of the range and are never looked at.
const FIFO: [&str; 2] = [
    "SELECT ready_at, x'', number FROM jobs WHERE status = 1 AND executor = ?1
     ORDER BY ready_at, number LIMIT ?2",
    "SELECT ready_at, x'', number FROM jobs WHERE status = 4 AND executor = ?1 AND ready_at <= ?3
     ORDER BY ready_at, number LIMIT ?2",
];

/// The same by creation. This order has no place for when a retry is due: those that wait are passed over.
const CREATED: [&str; 2] = [
    "SELECT created_at, collated, number FROM jobs WHERE status = 1 AND executor = ?1
     ORDER BY created_at, collated LIMIT ?2",
    "SELECT created_at, collated, number FROM jobs WHERE status = 4 AND executor = ?1
     AND (next_attempt_at IS NULL OR next_attempt_at <= ?3) ORDER BY created_at, collated LIMIT ?2",
];

/// The numbers of the first jobs that these executors may be given, in order.
pub(crate) fn first(
    connection: &Connection,
    executors: &[Text],
    now: StoreTime,
    order: Order,
    limit: u32,
) -> Result<Vec<u32>> {
    let [queued, retryable] = if order == Order::Created { CREATED } else { FIFO };
    let mut places = BTreeSet::new();
    for executor in executors {
        line(connection, queued, (executor, limit), &mut places)?;
        line(connection, retryable, (executor, limit, now.ms()), &mut places)?;
    }
    Ok(places.into_iter().take(limit as usize).map(|(_, _, number)| number).collect())
}

fn line(connection: &Connection, sql: &str, params: impl Params, places: &mut BTreeSet<Place>) -> Result<()> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        places.insert((row.get(0)?, row.get(1)?, row.get(2)?));
    }
    Ok(())
}
