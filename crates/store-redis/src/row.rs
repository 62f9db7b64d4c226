//! A job as the server keeps it: a hash of texts, read and written in one order, that of [`FIELDS`].

use crate::reply::Damaged;
use crate::time_key::{time_key, time_of};
use holdover_jobs::records::Kept;
use holdover_jobs::{Incarnation, Lease, LeaseToken, Order, Record, Spec, Status, Text};
use holdover_machine::StoreTime;
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;

/// The values of a row. What is absent is an empty text. Times are [`time_key`]s; `spec`, `reason`, `error`, `result`
/// and `cancel` are JSON, `past` is JSON elements with commas between; a name begins with `=`.
pub(crate) const FIELDS: [&str; 26] = [
    "number",
    "spec",
    "executor",
    "tenant",
    "user",
    "collation",
    "timeout",
    "attempts_max",
    "created_at",
    "status",
    "reason",
    "attempts",
    "charged",
    "unstarted",
    "lease",
    "ready_at",
    "next_attempt_at",
    "error",
    "result",
    "cancel",
    "updated_at",
    "started_at",
    "completed_at",
    "past",
    "revision",
    "events",
];

/// The row of a record. Its revision and its number of events are the scripts' to count.
pub(crate) fn row_of(record: &Record, order: Order) -> [String; FIELDS.len()] {
    let spec = &record.spec;
    let name = |name: Option<&Text>| name.map(|name| format!("={name}")).unwrap_or_default();
    let time = |time: Option<StoreTime>| time.map(time_key).unwrap_or_default();
    let collation = match order {
        Order::Created => record.id().collation_key().iter().map(|byte| format!("{byte:02x}")).collect(),
        Order::Fifo | Order::TenantRing => String::new(),
    };
    let past: Vec<String> = record.past.iter().map(json).collect();
    [
        record.number.to_string(),
        json(&**spec),
        spec.executor.to_string(),
        name(record.tenant()),
        name(record.user()),
        collation,
        spec.timeout.ms().to_string(),
        spec.attempts_max.to_string(),
        time_key(record.created_at),
        record.status.as_str().to_owned(),
        optional(record.reason.as_ref()),
        record.attempts.to_string(),
        record.charged.to_string(),
        record.unstarted.to_string(),
        record.lease.as_ref().map(lease_value).unwrap_or_default(),
        time_key(record.ready_at),
        time(record.next_attempt_at),
        optional(record.error.as_ref()),
        optional(record.result.as_ref()),
        optional(record.cancel.as_ref()),
        time_key(record.updated_at),
        time(record.started_at),
        time(record.completed_at),
        past.join(","),
        String::new(),
        String::new(),
    ]
}

/// The job of a row.
pub(crate) fn kept_of(row: &[String]) -> Result<Kept, Damaged> {
    let row: &[String; FIELDS.len()] = row.try_into().map_err(|_| Damaged::of("a row", row.len()))?;
    let [
        number,
        spec,
        _,
        _,
        _,
        _,
        _,
        _,
        created_at,
        status,
        reason,
        attempts,
        charged,
        unstarted,
        lease,
        ready_at,
        next_attempt_at,
        error,
        result,
        cancel,
        updated_at,
        started_at,
        completed_at,
        past,
        revision,
        events,
    ] = row;
    let record = Record {
        spec: Arc::new(from_json::<Spec>(spec)?),
        number: from_text(number)?,
        created_at: time(created_at)?,
        status: Status::ALL
            .into_iter()
            .find(|known| known.as_str() == status)
            .ok_or_else(|| Damaged::of("a status", status))?,
        reason: absent_or(reason, from_json)?,
        attempts: from_text(attempts)?,
        charged: from_text(charged)?,
        unstarted: from_text(unstarted)?,
        lease: absent_or(lease, lease_of)?,
        ready_at: time(ready_at)?,
        next_attempt_at: absent_or(next_attempt_at, time)?,
        error: absent_or(error, from_json)?,
        result: absent_or(result, from_json)?,
        cancel: absent_or(cancel, from_json)?,
        updated_at: time(updated_at)?,
        started_at: absent_or(started_at, time)?,
        completed_at: absent_or(completed_at, time)?,
        past: from_json(&format!("[{past}]"))?,
    };
    Ok(Kept { record: Arc::new(record), revision: from_text(revision)?, events: from_text(events)? })
}

/// End, process, attempt, token, grant, last renewal, deadline, worker: what scripts ask for first, and last what may
/// contain spaces.
fn lease_value(lease: &Lease) -> String {
    let process = lease.incarnation.map_or("-".to_owned(), |Incarnation(process)| process.to_string());
    let deadline = lease.deadline.map_or("-".to_owned(), time_key);
    [
        &time_key(lease.expires_at),
        &process,
        &lease.attempt.to_string(),
        lease.token.reveal(),
        &time_key(lease.acquired_at),
        &time_key(lease.heartbeat_at),
        &deadline,
        &lease.worker,
    ]
    .join(" ")
}

fn lease_of(value: &str) -> Result<Lease, Damaged> {
    let damaged = || Damaged::of("a lease", "hidden");
    let parts: Vec<&str> = value.splitn(8, ' ').collect();
    let [expires, process, attempt, token, acquired, heartbeat, deadline, worker] = parts[..] else {
        return Err(damaged());
    };
    let unless_absent = |part: &str| (part != "-").then(|| part.to_owned());
    Ok(Lease {
        token: LeaseToken::new(token).ok_or_else(damaged)?,
        worker: worker.into(),
        incarnation: unless_absent(process)
            .map(|process| from_text(&process).map(Incarnation))
            .transpose()?,
        attempt: from_text(attempt)?,
        acquired_at: time(acquired)?,
        heartbeat_at: time(heartbeat)?,
        expires_at: time(expires)?,
        deadline: unless_absent(deadline).map(|deadline| time(&deadline)).transpose()?,
    })
}

/// A value of ours as JSON. Ours have text keys and numbers that JSON has, so that it cannot fail.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn optional(value: Option<&impl Serialize>) -> String {
    value.map(json).unwrap_or_default()
}

pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Damaged> {
    serde_json::from_str(text).map_err(|error| Damaged::of("JSON", error))
}

pub(crate) fn from_text<T: std::str::FromStr>(text: &str) -> Result<T, Damaged> {
    text.parse().map_err(|_| Damaged::of("a number", text))
}

fn time(text: &str) -> Result<StoreTime, Damaged> {
    time_of(text).ok_or_else(|| Damaged::of("a time", text))
}

fn absent_or<T>(text: &str, read: impl Fn(&str) -> Result<T, Damaged>) -> Result<Option<T>, Damaged> {
    if text.is_empty() { Ok(None) } else { read(text).map(Some) }
}
