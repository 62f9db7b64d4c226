//! What a step must know, found in the file.

use crate::ready;
use crate::row::{Fields, KEPT, bits, kept};
use holdover_jobs::records::{Found, Kept, LastClaim, Need};
use holdover_jobs::{
    AdmissionCounts, Announcement, Event, EventPage, Incarnation, JobId, QueueStats, Status, Subject,
};
use holdover_machine::StoreTime;
use rusqlite::{Connection, OptionalExtension, Params, Result, Row, ToSql, params};
use std::sync::LazyLock;

static BY_NUMBER: LazyLock<String> = LazyLock::new(|| select("jobs.number = ?1"));
static BY_ID: LazyLock<String> = LazyLock::new(|| select("id = ?1"));
static BY_KEY: LazyLock<String> =
    LazyLock::new(|| select("key_text = ?1 AND ifnull(key_scope, x'') = ifnull(?2, x'')"));
static EXPIRED: LazyLock<String> =
    LazyLock::new(|| select("lease_expires_at <= ?1 ORDER BY lease_expires_at, jobs.number LIMIT ?2"));

fn select(condition: &str) -> String {
    format!("SELECT {KEPT} FROM jobs JOIN specs ON specs.number = jobs.number WHERE {condition}")
}

/// What is found for a need.
///
/// # Errors
/// The file cannot be read, or holds what no store has written.
pub(crate) fn read(connection: &Connection, need: &Need) -> Result<Found> {
    Ok(match need {
        Need::Job(id) => Found::Jobs(jobs(connection, &BY_ID, [id.as_str()])?),
        Need::Key(key) => Found::Jobs(jobs(connection, &BY_KEY, params![key.text, key.scope])?),
        Need::Ready { executors, now, order, limit } => {
            let numbers = ready::first(connection, executors, *now, *order, *limit)?;
            let found = numbers.into_iter().map(|number| by_number(connection, number));
            Found::Jobs(found.collect::<Result<_>>()?)
        }
        Need::Expired { until, limit } => {
            Found::Jobs(jobs(connection, &EXPIRED, params![until.ms(), limit])?)
        }
        Need::Held(process) => Found::Held(held(connection, *process)?),
        Need::Counts { subject, since } => Found::Counts(counts(connection, subject, *since)?),
        Need::Stats { now } => Found::Stats(stats(connection, *now)?),
        Need::Number => Found::Number(one(connection, "SELECT coalesce(max(number) + 1, 0) FROM jobs", [])?),
        Need::LastClaim(process) => Found::LastClaim(last_claim(connection, *process)?),
        Need::Switch => Found::Switch(one(connection, "SELECT open FROM switch", [])?),
        Need::Events { job, after, limit } => Found::Events(page(connection, job, *after, *limit)?),
        Need::Workers => Found::Workers(workers(connection)?),
        // A need that this version does not know is one that its steps do not have.
        _ => return Err(rusqlite::Error::InvalidQuery),
    })
}

fn by_number(connection: &Connection, number: u32) -> Result<Kept> {
    connection.prepare_cached(&BY_NUMBER)?.query_row([number], kept)
}

fn jobs(connection: &Connection, sql: &str, params: impl Params) -> Result<Vec<Kept>> {
    list(connection, sql, params, kept)
}

fn list<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    connection.prepare_cached(sql)?.query_map(params, read)?.collect()
}

/// The only column of the only row.
fn one<T: rusqlite::types::FromSql>(connection: &Connection, sql: &str, params: impl Params) -> Result<T> {
    connection.prepare_cached(sql)?.query_row(params, |row| row.get(0))
}

/// How many rows there are under this condition.
fn count(connection: &Connection, condition: &str, params: &[&dyn ToSql]) -> Result<u64> {
    let sql = format!("SELECT count(*) FROM jobs WHERE {condition}");
    one::<i64>(connection, &sql, params).map(i64::cast_unsigned)
}

/// How many jobs a process holds.
pub(crate) fn held(connection: &Connection, process: Incarnation) -> Result<u32> {
    one(connection, "SELECT count(*) FROM jobs WHERE lease_process = ?1", [bits(process.0)])
}

fn last_claim(connection: &Connection, process: Incarnation) -> Result<Option<LastClaim>> {
    let sql = "SELECT number, granted, used_at FROM claims WHERE process = ?1";
    let read = |row: &Row<'_>| {
        let mut row = Fields::of(row);
        let (number, granted) = (row.bits()?, row.some_json()?);
        Ok(LastClaim { number, granted, used_at: StoreTime::from_ms(row.next()?) })
    };
    connection.prepare_cached(sql)?.query_row([bits(process.0)], read).optional()
}

fn counts(connection: &Connection, subject: &Subject, since: StoreTime) -> Result<AdmissionCounts> {
    let since = since.ms();
    let mut counts = AdmissionCounts::default();
    for (status, jobs) in totals(connection)? {
        counts.global_active += if status.is_active() { jobs } else { 0 };
    }
    if let Some(tenant) = &subject.tenant {
        counts.tenant_active = count(connection, "tenant = ?1 AND active = 1", &[tenant])?;
        counts.tenant_recent = count(connection, "tenant = ?1 AND created_at >= ?2", &[tenant, &since])?;
    }
    if let Some(user) = &subject.user {
        counts.user_active = count(connection, "user = ?1 AND active = 1", &[user])?;
        counts.user_recent = count(connection, "user = ?1 AND created_at >= ?2", &[user, &since])?;
    }
    Ok(counts)
}

/// How many jobs there are of each status.
fn totals(connection: &Connection) -> Result<Vec<(Status, u64)>> {
    let totals = list(connection, "SELECT jobs FROM totals ORDER BY status", [], |row| row.get::<_, i64>(0))?;
    Ok(Status::ALL.into_iter().zip(totals.into_iter().map(i64::cast_unsigned)).collect())
}

fn stats(connection: &Connection, now: StoreTime) -> Result<QueueStats> {
    let mut stats = QueueStats::default();
    for (status, jobs) in totals(connection)? {
        stats.counts[status as usize] = jobs;
    }
    let due = "status = 4 AND (next_attempt_at IS NULL OR next_attempt_at <= ?1)";
    stats.claimable = stats.counts[Status::Queued as usize] + count(connection, due, &[&now.ms()])?;
    stats.expired = count(connection, "lease_expires_at <= ?1", &[&now.ms()])?;
    Ok(stats)
}

fn page(connection: &Connection, job: &JobId, after: u64, limit: u64) -> Result<Option<EventPage>> {
    let sql = "SELECT number, events FROM jobs WHERE id = ?1";
    let read = |row: &Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, i64>(1)?.cast_unsigned()));
    let found = connection.prepare_cached(sql)?.query_row([job.as_str()], read).optional()?;
    let Some((number, last)) = found else { return Ok(None) };
    Ok(Some(EventPage { events: events(connection, number, after, limit)?, last }))
}

/// The events of a job after this one, at most so many.
pub(crate) fn events(connection: &Connection, number: u32, after: u64, limit: u64) -> Result<Vec<Event>> {
    let sql = "SELECT sequence, at, body FROM events WHERE number = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3";
    let bounded = |number| i64::try_from(number).unwrap_or(i64::MAX);
    list(connection, sql, params![number, bounded(after), bounded(limit)], |row| {
        let mut row = Fields::of(row);
        let (sequence, at) = (row.bits()?, StoreTime::from_ms(row.next()?));
        Ok(Event { sequence, at, body: row.some_json()? })
    })
}

fn workers(connection: &Connection) -> Result<Vec<(Announcement, StoreTime)>> {
    let sql = "SELECT announcement, seen_at FROM workers ORDER BY place";
    list(connection, sql, [], |row| {
        let mut row = Fields::of(row);
        Ok((row.some_json()?, StoreTime::from_ms(row.next()?)))
    })
}

/// A page of all records in order of creation, from this number on, each with its events.
pub(crate) fn records(connection: &Connection, from: u32, limit: u32) -> Result<Vec<(Kept, Vec<Event>)>> {
    static FROM: LazyLock<String> =
        LazyLock::new(|| select("jobs.number >= ?1 ORDER BY jobs.number LIMIT ?2"));
    let page = jobs(connection, &FROM, [from, limit])?;
    page.into_iter()
        .map(|job| {
            let events = events(connection, job.record.number, 0, u64::MAX)?;
            Ok((job, events))
        })
        .collect()
}
