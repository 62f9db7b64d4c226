//! What a step has changed, put into the file.

use crate::read;
use crate::row::{CHANGING, Column, FIXED, bits, json};
use crate::totals::Totals;
use holdover_jobs::records::{Changed, Changes, Found, Kept, LastClaim};
use holdover_jobs::{Announcement, Event, Incarnation, Text};
use holdover_machine::StoreTime;
use rusqlite::{Connection, Result, ToSql, params, params_from_iter};
use std::sync::{Arc, LazyLock};

/// The most processes that are forgotten with one claim.
const FORGOTTEN_MAX: u32 = 2;

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<&str> = FIXED.iter().chain(&CHANGING).map(|(name, _)| *name).collect();
    let places = vec!["?"; names.len()].join(", ");
    format!("INSERT INTO jobs ({}) VALUES ({places})", names.join(", "))
});

/// What was found before the changes.
#[derive(Default)]
pub(crate) struct Before {
    jobs: Vec<Kept>,
    claim: Option<LastClaim>,
}

impl Before {
    pub(crate) fn learn(&mut self, found: &Found) {
        match found {
            Found::Jobs(jobs) => self.jobs.extend(jobs.iter().cloned()),
            Found::LastClaim(claim) => self.claim.clone_from(claim),
            _ => {}
        }
    }
}

/// Makes the changes. `before` was found in the same transaction, so that no condition has to be looked at again.
///
/// # Errors
/// The file cannot be written. What of the changes was made until then is for the caller to take back.
pub(crate) fn write(
    connection: &Connection,
    changes: &Changes,
    before: &Before,
    totals: &Totals,
) -> Result<()> {
    for changed in &changes.jobs {
        let known = before.jobs.iter().find(|job| job.record.number == changed.record.number);
        match known.filter(|_| !changed.new) {
            Some(known) => {
                update(connection, known, changed)?;
                totals.moved(known.record.status, changed.record.status);
            }
            None => {
                insert(connection, changed)?;
                totals.entered(changed.record.status);
            }
        }
        append(connection, changed.record.number, &changed.events)?;
    }
    if let Some((process, last)) = &changes.last_claim {
        let known = before.claim.as_ref().is_some_and(|known| minute(known.used_at) == minute(last.used_at));
        remember(connection, *process, last, known)?;
        // Once a minute is often enough.
        if let Some(before) = changes.forget_claims_before.filter(|_| !known) {
            forget(connection, before, last.used_at)?;
        }
    }
    if let Some((announcement, at)) = &changes.announced {
        announce(connection, announcement, *at)?;
    }
    changes.seen.iter().try_for_each(|(worker, at)| seen(connection, worker, *at))?;
    match changes.open {
        Some(open) => execute(connection, "UPDATE switch SET open = ?1", &[&open]),
        None => Ok(()),
    }
}

fn execute(connection: &Connection, sql: &str, params: &[&dyn ToSql]) -> Result<()> {
    connection.prepare_cached(sql)?.execute(params).map(|_| ())
}

fn insert(connection: &Connection, changed: &Changed) -> Result<()> {
    let events = changed.events.len() as u64;
    let job = Kept { record: Arc::new(changed.record.clone()), revision: 0, events };
    let values = FIXED.iter().chain(&CHANGING).map(|(_, value)| value(&job));
    connection.prepare_cached(&INSERT)?.execute(params_from_iter(values))?;
    let (number, spec) = (job.record.number, json(&job.record.spec));
    execute(connection, "INSERT INTO specs (number, spec) VALUES (?1, ?2)", &[&number, &spec])
}

/// Sets the columns that have changed and no others: an index is written only for those that stand in it.
fn update(connection: &Connection, before: &Kept, changed: &Changed) -> Result<()> {
    let events = before.events + changed.events.len() as u64;
    let after = Kept { record: Arc::new(changed.record.clone()), revision: before.revision + 1, events };
    let changes = |(_, value): &&Column| value(before) != value(&after);
    let columns: Vec<&Column> = CHANGING.iter().filter(changes).collect();
    let settings: Vec<String> = columns.iter().map(|(name, _)| format!("{name} = ?")).collect();
    let sql = format!("UPDATE jobs SET {} WHERE number = ?", settings.join(", "));
    let number = after.record.number.to_sql()?;
    let values = columns.iter().map(|(_, value)| value(&after)).chain([number]);
    connection.prepare_cached(&sql)?.execute(params_from_iter(values))?;
    let spec = &after.record.spec;
    if Arc::ptr_eq(spec, &before.record.spec) || *spec == before.record.spec {
        return Ok(());
    }
    execute(connection, "UPDATE specs SET spec = ?2 WHERE number = ?1", &[&after.record.number, &json(spec)])
}

fn append(connection: &Connection, number: u32, events: &[Event]) -> Result<()> {
    let sql = "INSERT INTO events (number, sequence, at, body) VALUES (?1, ?2, ?3, ?4)";
    let mut statement = connection.prepare_cached(sql)?;
    for event in events {
        statement.execute(params![number, bits(event.sequence), event.at.ms(), json(&event.body)])?;
    }
    Ok(())
}

/// The minute of a time, in which a process is known to be in use.
fn minute(at: StoreTime) -> i64 {
    at.ms().div_euclid(60_000)
}

/// Remembers the last claim of a process. One that is known in this minute keeps its place in the order of last use.
fn remember(connection: &Connection, process: Incarnation, last: &LastClaim, known: bool) -> Result<()> {
    let (process, number) = (bits(process.0), bits(last.number));
    let (granted, used_at) = (json(&last.granted), last.used_at.ms());
    if known {
        let sql = "UPDATE claims SET number = ?2, granted = ?3, used_at = ?4 WHERE process = ?1";
        return execute(connection, sql, &[&process, &number, &granted, &used_at]);
    }
    let sql = "INSERT INTO claims (process, number, granted, used_at, used_in) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET number = ?2, granted = ?3, used_at = ?4, used_in = ?5";
    execute(connection, sql, &[&process, &number, &granted, &used_at, &minute(last.used_at)])
}

/// Forgets a few of the processes that were last in use in a minute before this time; one that holds something is in
/// use now.
fn forget(connection: &Connection, before: StoreTime, now: StoreTime) -> Result<()> {
    let sql = "SELECT process FROM claims WHERE used_in < ?1 ORDER BY used_in, process LIMIT ?2";
    let mut oldest = connection.prepare_cached(sql)?;
    let oldest = oldest.query_map(params![minute(before), FORGOTTEN_MAX], |row| row.get::<_, i64>(0))?;
    for process in oldest.collect::<Result<Vec<i64>>>()? {
        match read::held(connection, Incarnation(process.cast_unsigned()))? {
            0 => execute(connection, "DELETE FROM claims WHERE process = ?1", &[&process])?,
            _ => {
                let sql = "UPDATE claims SET used_at = ?2, used_in = ?3 WHERE process = ?1";
                execute(connection, sql, &[&process, &now.ms(), &minute(now)])?;
            }
        }
    }
    Ok(())
}

fn announce(connection: &Connection, announcement: &Announcement, at: StoreTime) -> Result<()> {
    let sql = "INSERT INTO workers (worker, announcement, seen_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (worker) DO UPDATE SET announcement = ?2, seen_at = ?3";
    execute(connection, sql, &[&announcement.worker, &json(announcement), &at.ms()])
}

/// A worker was seen; one that never announced itself is not registered by it.
fn seen(connection: &Connection, worker: &Text, at: StoreTime) -> Result<()> {
    execute(connection, "UPDATE workers SET seen_at = ?2 WHERE worker = ?1", &[worker, &at.ms()])
}
