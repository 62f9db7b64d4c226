//! What a step has changed, put into the file.

use crate::read;
use crate::row::{CHANGING, Column, FIXED, bits, json};
use holdover_jobs::records::{Changed, Changes, Kept, LastClaim};
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

/// Makes the changes. `before` are the jobs as they were found in the same transaction, so that no condition has to
/// be looked at again.
///
/// # Errors
/// The file cannot be written. What of the changes was made until then is for the caller to take back.
pub(crate) fn write(connection: &Connection, changes: &Changes, before: &[Kept]) -> Result<()> {
    for changed in &changes.jobs {
        let known = before.iter().find(|job| job.record.number == changed.record.number);
        match known.filter(|_| !changed.new) {
            Some(known) => update(connection, known, changed)?,
            None => insert(connection, changed)?,
        }
        append(connection, changed.record.number, &changed.events)?;
    }
    if let Some((process, last)) = &changes.last_claim {
        remember(connection, *process, last)?;
        if let Some(before) = changes.forget_claims_before {
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

fn remember(connection: &Connection, process: Incarnation, last: &LastClaim) -> Result<()> {
    let sql = "INSERT INTO claims (process, number, granted, used_at) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET number = ?2, granted = ?3, used_at = ?4";
    let (process, number) = (bits(process.0), bits(last.number));
    execute(connection, sql, &[&process, &number, &json(&last.granted), &last.used_at.ms()])
}

/// Forgets a few of the processes that were last in use before this; one that holds something is in use now.
fn forget(connection: &Connection, before: StoreTime, now: StoreTime) -> Result<()> {
    let sql = "SELECT process FROM claims WHERE used_at < ?1 ORDER BY used_at, process LIMIT ?2";
    let mut oldest = connection.prepare_cached(sql)?;
    let oldest = oldest.query_map(params![before.ms(), FORGOTTEN_MAX], |row| row.get::<_, i64>(0))?;
    for process in oldest.collect::<Result<Vec<i64>>>()? {
        match read::held(connection, Incarnation(process.cast_unsigned()))? {
            0 => execute(connection, "DELETE FROM claims WHERE process = ?1", &[&process])?,
            _ => {
                let sql = "UPDATE claims SET used_at = ?2 WHERE process = ?1";
                execute(connection, sql, &[&process, &now.ms()])?;
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
