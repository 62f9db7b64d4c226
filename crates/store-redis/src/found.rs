//! Needs as arguments of the reading script, and its answers.

use crate::arguments::Arguments;
use crate::reply::{Damaged, list, pairs, parts, read};
use crate::row::{from_json, from_text, kept_of};
use holdover_jobs::records::{Found, Kept, LastClaim, Need};
use holdover_jobs::{
    AdmissionCounts, Announcement, Event, EventPage, Incarnation, JobId, QueueStats, Status, Text,
};
use holdover_machine::StoreTime;
use redis::Value;
use std::collections::BTreeMap;

/// Adds a need. One that this version does not know is an error.
pub(crate) fn ask(need: &Need, arguments: &mut Arguments) -> Result<(), Damaged> {
    match need {
        Need::Job(job) => arguments.add("job").add(job),
        Need::Key(key) => arguments.add("key").add_key(key),
        Need::Ready { executors, now, limit, .. } => {
            arguments.add("ready").add_time(*now).add(limit).add_list(different(executors))
        }
        Need::Expired { until, limit } => arguments.add("expired").add_time(*until).add(limit),
        Need::Held(Incarnation(process)) => arguments.add("held").add(process),
        Need::Counts { subject, since } => {
            let names = arguments.add("counts").add_name(subject.tenant.as_ref());
            names.add_name(subject.user.as_ref()).add_time(*since)
        }
        Need::Stats { now } => arguments.add("stats").add_time(*now),
        Need::Number => arguments.add("number"),
        Need::LastClaim(Incarnation(process)) => arguments.add("last_claim").add(process),
        Need::Switch => arguments.add("switch"),
        Need::Events { job, after, limit } => {
            let first = i64::try_from(*after).unwrap_or(i64::MAX);
            // The last is the server's to include, so that none at all is a range that ends before it begins.
            let (first, last) = match i64::try_from(*limit).unwrap_or(i64::MAX) {
                0 => (1, 0),
                limit => (first, first.saturating_add(limit - 1)),
            };
            arguments.add("events").add(job).add(first).add(last)
        }
        Need::Workers => arguments.add("workers"),
        other => return Err(Damaged::of("a need", format_args!("{other:?}"))),
    };
    Ok(())
}

/// Each executor once.
pub(crate) fn different(executors: &[Text]) -> impl Iterator<Item = &Text> {
    let first = |place: usize| !executors[..place].contains(&executors[place]);
    executors.iter().enumerate().filter(move |(place, _)| first(*place)).map(|(_, executor)| executor)
}

/// What the script has found for a need.
pub(crate) fn answer(need: &Need, value: Value) -> Result<Found, Damaged> {
    Ok(match need {
        Need::Held(_) => Found::Held(read(value)?),
        Need::Counts { .. } => Found::Counts(counts(value)?),
        Need::Stats { .. } => Found::Stats(stats(value)?),
        Need::Number => Found::Number(read(value)?),
        Need::LastClaim(_) => {
            let claim: Option<String> = read(value)?;
            Found::LastClaim(claim.map(|claim| last_claim(&claim)).transpose()?)
        }
        Need::Switch => Found::Switch(!read::<bool>(value)?),
        Need::Events { after, .. } => Found::Events(page(*after, value)?),
        Need::Workers => Found::Workers(workers(value)?),
        _ => Found::Jobs(rows(value)?),
    })
}

/// The jobs of a list of rows.
pub(crate) fn rows(value: Value) -> Result<Vec<Kept>, Damaged> {
    list(value)?.into_iter().map(row).collect()
}

pub(crate) fn row(value: Value) -> Result<Kept, Damaged> {
    kept_of(&read::<Vec<String>>(value)?)
}

fn counts(value: Value) -> Result<AdmissionCounts, Damaged> {
    let [global_active, tenant_active, user_active, tenant_recent, user_recent] = parts(value)?;
    Ok(AdmissionCounts {
        global_active: read(global_active)?,
        tenant_active: read(tenant_active)?,
        user_active: read(user_active)?,
        tenant_recent: read(tenant_recent)?,
        user_recent: read(user_recent)?,
    })
}

fn stats(value: Value) -> Result<QueueStats, Damaged> {
    let [counts, due, expired] = parts(value)?;
    let mut stats = QueueStats { expired: read(expired)?, ..QueueStats::default() };
    for (name, count) in pairs(counts)? {
        let status = Status::ALL.into_iter().find(|status| status.as_str() == name);
        let status = status.ok_or_else(|| Damaged::of("a status", &name))?;
        stats.counts[status as usize] = from_text(&count)?;
    }
    stats.claimable = stats.counts[Status::Queued as usize] + read::<u64>(due)?;
    Ok(stats)
}

/// The number with leading zeros, when it was made, and each job with its attempt.
pub(crate) fn last_claim(text: &str) -> Result<LastClaim, Damaged> {
    let damaged = || Damaged::of("a claim", text);
    let mut words = text.split(' ');
    let mut word = || words.next().ok_or_else(damaged);
    let (number, used_at) = (from_text(word()?)?, StoreTime::from_ms(from_text(word()?)?));
    let mut granted = Vec::new();
    while let Some(job) = words.next() {
        let attempt = words.next().ok_or_else(damaged)?;
        granted.push((JobId::new(job).ok_or_else(damaged)?, from_text(attempt)?));
    }
    Ok(LastClaim { number, granted, used_at })
}

fn page(after: u64, value: Value) -> Result<Option<EventPage>, Damaged> {
    if value == Value::Nil {
        return Ok(None);
    }
    let [last, log] = parts(value)?;
    Ok(Some(EventPage { events: events(after, log)?, last: read(last)? }))
}

/// The events of a log after so many others.
pub(crate) fn events(after: u64, log: Value) -> Result<Vec<Event>, Damaged> {
    let log: Vec<String> = read(log)?;
    let numbered = (after.saturating_add(1)..).zip(&log);
    numbered.map(|(sequence, text)| event(sequence, text)).collect()
}

/// An event is kept as its time and, after a colon, its body; its place in the log is its number.
fn event(sequence: u64, text: &str) -> Result<Event, Damaged> {
    let (at, body) = text.split_once(':').ok_or_else(|| Damaged::of("an event", text))?;
    Ok(Event { sequence, at: StoreTime::from_ms(from_text(at)?), body: from_json(body)? })
}

/// The workers in the order of first announcement, by which each is numbered.
fn workers(value: Value) -> Result<Vec<(Announcement, StoreTime)>, Damaged> {
    let [announced, seen] = parts(value)?;
    let seen: BTreeMap<String, String> = pairs(seen)?.into_iter().collect();
    let mut workers = BTreeMap::new();
    for (worker, text) in pairs(announced)? {
        let damaged = || Damaged::of("an announcement", &text);
        let (place, announcement) = text.split_once(' ').ok_or_else(damaged)?;
        let at = StoreTime::from_ms(from_text(seen.get(&worker).ok_or_else(damaged)?)?);
        workers.insert(from_text::<u64>(place)?, (from_json(announcement)?, at));
    }
    Ok(workers.into_values().collect())
}
