//! What a step must know, read by one statement for each need.

use crate::digest;
use crate::failure::{certain, unreadable};
use crate::row::{self, COLUMNS, from_json, json, process};
use crate::session::{Parameters, Prepares, rows};
use holdover_jobs::records::{Found, Kept, LastClaim, Need};
use holdover_jobs::{
    AdmissionCounts, Event, EventPage, Incarnation, JobId, Order, QueueStats, Record, Subject, Text,
};
use holdover_machine::StoreTime;
use holdover_store::StoreError;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use tokio_postgres::Row;
use tokio_postgres::types::FromSqlOwned;

/// What is found for a need.
pub(super) async fn need(session: &impl Prepares, need: &Need) -> Result<Found, StoreError> {
    Ok(match need {
        Need::Job(job) => jobs(session, "s.job_id = $1", "", &[&job.as_str()]).await?,
        Need::Key(key) => jobs(session, "s.key = $1", "", &[&digest::of_key(key)]).await?,
        Need::Ready { executors, now, order, limit } => {
            ready(session, executors, *now, *order, *limit).await?
        }
        Need::Expired { until, limit } => {
            let order = "ORDER BY j.expires_at, j.number LIMIT $2";
            jobs(session, "j.expires_at <= $1", order, &[&until.ms(), &i64::from(*limit)]).await?
        }
        Need::Held(process) => Found::Held(held(session, *process).await?),
        Need::Counts { subject, since } => Found::Counts(counts(session, subject, *since).await?),
        Need::Stats { now } => Found::Stats(stats(session, *now).await?),
        Need::Number => {
            let number: i64 = only(&rows(session, "SELECT nextval('numbers')", &[]).await?)?;
            Found::Number(u32::try_from(number).map_err(|error| unreadable("the next number", error))?)
        }
        Need::LastClaim(process) => Found::LastClaim(last_claim(session, *process).await?),
        Need::Switch => Found::Switch(switch(session).await?),
        Need::Events { job, after, limit } => Found::Events(events(session, job, *after, *limit).await?),
        Need::Workers => Found::Workers(workers(session).await?),
        other => return Err(StoreError::Failed(format!("this store cannot read {other:?}"))),
    })
}

/// The first column of the only row.
pub(super) fn only<T: FromSqlOwned>(rows: &[Row]) -> Result<T, StoreError> {
    let row = rows.first().ok_or_else(|| unreadable("a row", "it is missing"))?;
    row.try_get(0).map_err(certain)
}

async fn jobs(
    session: &impl Prepares,
    which: &str,
    order: &str,
    parameters: Parameters<'_>,
) -> Result<Found, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM specs s JOIN jobs j USING (number) WHERE {which} {order}");
    kept(&rows(session, &sql, parameters).await?)
}

fn kept(rows: &[Row]) -> Result<Found, StoreError> {
    Ok(Found::Jobs(rows.iter().map(row::read).collect::<Result<Vec<Kept>, StoreError>>()?))
}

/// The first of each line, queued jobs and retries of each executor, and then the first of those.
async fn ready(
    session: &impl Prepares,
    executors: &[Text],
    now: StoreTime,
    order: Order,
    limit: u32,
) -> Result<Found, StoreError> {
    let mut names: Vec<String> = executors.iter().map(json).collect();
    names.sort();
    names.dedup();
    // As jobs become ready in the order of this index, retries that wait are beyond the bound and not walked.
    let (place, due) = match order {
        Order::Created => ("created_at, collated", ""),
        Order::Fifo | Order::TenantRing => {
            ("ready_at, number", "AND ready_at <= CASE line WHEN 1 THEN 9223372036854775807 ELSE $2 END")
        }
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM (
             SELECT head.* FROM unnest($1::text[]) AS name, (VALUES (1::smallint), (4)) AS lines (line),
             LATERAL (
                 SELECT * FROM jobs
                 WHERE executor = name AND status = line AND status IN (1, 4) {due}
                 AND (status = 1 OR coalesce(next_attempt_at, $2::bigint) <= $2)
                 ORDER BY {place} LIMIT $3
             ) head
             ORDER BY {place} LIMIT $3
         ) j JOIN specs s USING (number) ORDER BY {place}",
    );
    kept(&rows(session, &sql, &[&names, &now.ms(), &i64::from(limit)]).await?)
}

/// How many jobs a process holds.
pub(super) async fn held(session: &impl Prepares, holder: Incarnation) -> Result<u32, StoreError> {
    let sql = "SELECT count(*) FROM jobs WHERE incarnation = $1";
    let count: i64 = only(&rows(session, sql, &[&process(holder)]).await?)?;
    u32::try_from(count).map_err(|error| unreadable("a count", error))
}

/// The counts for admission. Those of all active jobs are counted one by one.
pub(super) async fn counts(
    session: &impl Prepares,
    subject: &Subject,
    since: StoreTime,
) -> Result<AdmissionCounts, StoreError> {
    let sql = "SELECT
        (SELECT count(*) FROM jobs WHERE executor IS NOT NULL AND status IN (1, 4))
            + (SELECT count(*) FROM jobs WHERE expires_at IS NOT NULL),
        (SELECT count(*) FROM jobs WHERE tenant = $1 AND status IN (1, 2, 3, 4)),
        (SELECT count(*) FROM jobs WHERE consumer = $2 AND status IN (1, 2, 3, 4)),
        (SELECT count(*) FROM specs WHERE tenant = $1 AND created_at >= $3),
        (SELECT count(*) FROM specs WHERE consumer = $2 AND created_at >= $3)";
    let (tenant, user) =
        (subject.tenant.as_ref().map(digest::of_name), subject.user.as_ref().map(digest::of_name));
    let found = rows(session, sql, &[&tenant, &user, &since.ms()]).await?;
    let row = found.first().ok_or_else(|| unreadable("the counts", "they are missing"))?;
    let count = |column: usize| Ok(row.try_get::<_, i64>(column).map_err(certain)? as u64);
    Ok(AdmissionCounts {
        global_active: count(0)?,
        tenant_active: count(1)?,
        user_active: count(2)?,
        tenant_recent: count(3)?,
        user_recent: count(4)?,
    })
}

/// The totals. All jobs are counted, so this is not for a path that is often taken.
async fn stats(session: &impl Prepares, now: StoreTime) -> Result<QueueStats, StoreError> {
    let sql = "SELECT status, count(*),
        count(*) FILTER (WHERE status = 1 OR status = 4 AND coalesce(next_attempt_at, $1::bigint) <= $1),
        count(*) FILTER (WHERE expires_at <= $1) FROM jobs GROUP BY status";
    let mut stats = QueueStats::default();
    for row in rows(session, sql, &[&now.ms()]).await? {
        let status = row.try_get::<_, i16>(0).map_err(certain)?;
        let count = |column: usize| Ok(row.try_get::<_, i64>(column).map_err(certain)? as u64);
        if let Some(place) = usize::try_from(status).ok().and_then(|place| stats.counts.get_mut(place)) {
            *place = count(1)?;
        }
        stats.claimable += count(2)?;
        stats.expired += count(3)?;
    }
    Ok(stats)
}

/// What is remembered of the last numbered claim of a process.
pub(super) async fn last_claim(
    session: &impl Prepares,
    claimer: Incarnation,
) -> Result<Option<LastClaim>, StoreError> {
    let sql = "SELECT c.number, c.used_at, s.job_id, granted.attempt
        FROM (SELECT * FROM claims WHERE process = $1 AND number >= 0 ORDER BY number DESC LIMIT 1) c
        LEFT JOIN LATERAL unnest(c.jobs, c.attempts) WITH ORDINALITY AS granted (job, attempt, nth) ON true
        LEFT JOIN specs s ON s.number = granted.job ORDER BY granted.nth";
    let found = rows(session, sql, &[&process(claimer)]).await?;
    let Some(first) = found.first() else { return Ok(None) };
    let number = first.try_get::<_, i64>(0).map_err(certain)? as u64;
    let used_at = StoreTime::from_ms(first.try_get(1).map_err(certain)?);
    let mut granted = Vec::new();
    for row in &found {
        if let Some(attempt) = row.try_get::<_, Option<i64>>(3).map_err(certain)? {
            granted.push((row::job_id(row, 2)?, attempt as u32));
        }
    }
    Ok(Some(LastClaim { number, granted, used_at }))
}

pub(super) async fn switch(session: &impl Prepares) -> Result<bool, StoreError> {
    only(&rows(session, "SELECT open FROM switch", &[]).await?)
}

async fn events(
    session: &impl Prepares,
    job: &JobId,
    after: u64,
    limit: u64,
) -> Result<Option<EventPage>, StoreError> {
    let sql = "SELECT j.number, j.events FROM specs s JOIN jobs j USING (number) WHERE s.job_id = $1";
    let known = rows(session, sql, &[&job.as_str()]).await?;
    let Some(job) = known.first() else { return Ok(None) };
    let (number, last): (i64, i64) = (job.try_get(0).map_err(certain)?, job.try_get(1).map_err(certain)?);
    let bounded = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    // Events that have come since are left for the next page, so that the last is the last of this log.
    let sql = "SELECT sequence, at, body FROM events
        WHERE number = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence LIMIT $4";
    let page = rows(session, sql, &[&number, &bounded(after), &last, &bounded(limit)]).await?;
    let events = page.iter().map(event).collect::<Result<_, _>>()?;
    Ok(Some(EventPage { events, last: last as u64 }))
}

/// The event in a row of sequence, time and body.
pub(super) fn event(row: &Row) -> Result<Event, StoreError> {
    let sequence = row.try_get::<_, i64>(0).map_err(certain)? as u64;
    let at = StoreTime::from_ms(row.try_get(1).map_err(certain)?);
    Ok(Event { sequence, at, body: from_json(row, 2)? })
}

async fn workers(
    session: &impl Prepares,
) -> Result<Vec<(holdover_jobs::Announcement, StoreTime)>, StoreError> {
    let sql = "SELECT announcement, seen_at FROM workers ORDER BY place";
    let worker = |row: &Row| Ok((from_json(row, 0)?, StoreTime::from_ms(row.try_get(1).map_err(certain)?)));
    rows(session, sql, &[]).await?.iter().map(worker).collect()
}

/// The jobs with these creation numbers, each with its log.
pub(super) async fn all(
    session: &impl Prepares,
    numbers: &Range<u32>,
) -> Result<Vec<(Record, Vec<Event>)>, StoreError> {
    let (from, to) = (i64::from(numbers.start), i64::from(numbers.end));
    let sql = format!(
        "SELECT {COLUMNS} FROM specs s JOIN jobs j USING (number) WHERE j.number >= $1 AND j.number < $2
         ORDER BY j.number"
    );
    let jobs = rows(session, &sql, &[&from, &to]).await?;
    let sql = "SELECT sequence, at, body, number FROM events WHERE number >= $1 AND number < $2
        ORDER BY number, sequence";
    let logs = rows(session, sql, &[&from, &to]).await?;
    let mut events: BTreeMap<i64, Vec<Event>> = BTreeMap::new();
    for row in &logs {
        events.entry(row.try_get(3).map_err(certain)?).or_default().push(event(row)?);
    }
    let mut whole = |row: &Row| {
        let Kept { record, .. } = row::read(row)?;
        let log = events.remove(&i64::from(record.number)).unwrap_or_default();
        Ok((Arc::unwrap_or_clone(record), log))
    };
    jobs.iter().map(&mut whole).collect()
}
