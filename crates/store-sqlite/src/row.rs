//! Records as rows, and rows as records.

use holdover_jobs::records::Kept;
use holdover_jobs::{Incarnation, Lease, LeaseToken, Record, Status, Text};
use holdover_machine::StoreTime;
use rusqlite::types::{FromSql, ToSqlOutput, Type, Value, ValueRef};
use rusqlite::{Error, Result, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// The name of a column, and what stands in it.
pub(crate) type Column = (&'static str, fn(&Kept) -> ToSqlOutput<'_>);

/// What never changes.
pub(crate) const FIXED: [Column; 6] = [
    ("number", |job| number(job.record.number)),
    ("id", |job| text(job.record.id().as_str())),
    ("collated", |job| ToSqlOutput::Owned(Value::Blob(job.record.id().collation_key()))),
    ("key_scope", |job| maybe(job.record.spec.key.scope.as_deref(), text)),
    ("key_text", |job| text(&job.record.spec.key.text)),
    ("created_at", |job| time(job.record.created_at)),
];

/// What may change: the first three only when a parked job is let in.
pub(crate) const CHANGING: [Column; 28] = [
    ("executor", |job| text(&job.record.spec.executor)),
    ("tenant", |job| maybe(job.record.tenant(), |tenant| text(tenant))),
    ("user", |job| maybe(job.record.user(), |user| text(user))),
    ("status", |job| number(job.record.status as u32)),
    ("active", |job| number(job.record.status.is_active().into())),
    ("reason", |job| maybe(job.record.reason.as_deref(), text)),
    ("attempts", |job| number(job.record.attempts)),
    ("charged", |job| number(job.record.charged)),
    ("unstarted", |job| number(job.record.unstarted)),
    ("lease_token", |job| of_lease(job, |lease| text(lease.token.reveal()))),
    ("lease_worker", |job| of_lease(job, |lease| text(&lease.worker))),
    ("lease_process", |job| of_lease(job, |lease| maybe(lease.incarnation, |process| bits(process.0)))),
    ("lease_attempt", |job| of_lease(job, |lease| number(lease.attempt))),
    ("lease_acquired_at", |job| of_lease(job, |lease| time(lease.acquired_at))),
    ("lease_heartbeat_at", |job| of_lease(job, |lease| time(lease.heartbeat_at))),
    ("lease_expires_at", |job| of_lease(job, |lease| time(lease.expires_at))),
    ("lease_deadline", |job| of_lease(job, |lease| maybe(lease.deadline, time))),
    ("ready_at", |job| time(job.record.ready_at)),
    ("next_attempt_at", |job| maybe(job.record.next_attempt_at, time)),
    ("error", |job| maybe(job.record.error.as_ref(), json)),
    ("result", |job| maybe(job.record.result.as_ref(), json)),
    ("cancel", |job| maybe(job.record.cancel.as_ref(), json)),
    ("updated_at", |job| time(job.record.updated_at)),
    ("started_at", |job| maybe(job.record.started_at, time)),
    ("completed_at", |job| maybe(job.record.completed_at, time)),
    ("past", |job| maybe(Some(&job.record.past).filter(|past| !past.is_empty()), json)),
    ("revision", |job| bits(job.revision)),
    ("events", |job| bits(job.events)),
];

/// The columns of a [`Kept`], in the order in which [`kept`] reads them.
pub(crate) const KEPT: &str = "spec, jobs.number, created_at, status, reason, attempts, charged, unstarted, \
    lease_token, lease_worker, lease_process, lease_attempt, lease_acquired_at, lease_heartbeat_at, \
    lease_expires_at, lease_deadline, ready_at, next_attempt_at, error, result, cancel, updated_at, started_at, \
    completed_at, past, revision, events";

fn text(text: &str) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes()))
}

fn number(number: u32) -> ToSqlOutput<'static> {
    ToSqlOutput::Owned(Value::Integer(number.into()))
}

fn time(time: StoreTime) -> ToSqlOutput<'static> {
    ToSqlOutput::Owned(Value::Integer(time.ms()))
}

/// A number of 64 bits as the database has it, which knows none without a sign.
pub(crate) fn bits(number: u64) -> ToSqlOutput<'static> {
    ToSqlOutput::Owned(Value::Integer(number.cast_signed()))
}

fn maybe<'a, T>(value: Option<T>, make: impl FnOnce(T) -> ToSqlOutput<'a>) -> ToSqlOutput<'a> {
    value.map_or(ToSqlOutput::Owned(Value::Null), make)
}

fn of_lease<'a>(job: &'a Kept, make: impl FnOnce(&'a Lease) -> ToSqlOutput<'a>) -> ToSqlOutput<'a> {
    maybe(job.record.lease.as_ref(), make)
}

/// A value as JSON. Nothing that is stored so has keys that are no text.
pub(crate) fn json<T: Serialize>(value: &T) -> ToSqlOutput<'static> {
    let text = serde_json::to_string(value).expect("what is stored has a form in JSON");
    ToSqlOutput::Owned(Value::Text(text))
}

/// The columns of a row, one after the other.
pub(crate) struct Fields<'a> {
    row: &'a Row<'a>,
    place: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(row: &'a Row<'a>) -> Self {
        Self { row, place: 0 }
    }

    /// The next column.
    pub(crate) fn next<T: FromSql>(&mut self) -> Result<T> {
        self.place += 1;
        self.row.get(self.place - 1)
    }

    /// The next column, as it is understood; a value that is not is an error.
    fn read<T: FromSql, U>(&mut self, read: impl FnOnce(T) -> Option<U>) -> Result<U> {
        read(self.next()?).ok_or_else(|| self.strange("not a value of this column".into()))
    }

    fn time(&mut self) -> Result<StoreTime> {
        self.next().map(StoreTime::from_ms)
    }

    fn maybe_time(&mut self) -> Result<Option<StoreTime>> {
        Ok(self.next::<Option<i64>>()?.map(StoreTime::from_ms))
    }

    pub(crate) fn bits(&mut self) -> Result<u64> {
        self.next().map(i64::cast_unsigned)
    }

    /// The next column from JSON; `None` where nothing stands in it.
    pub(crate) fn json<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        self.place += 1;
        let Some(text) = self.row.get_ref(self.place - 1)?.as_bytes_or_null()? else { return Ok(None) };
        serde_json::from_slice(text).map(Some).map_err(|error| self.strange(error.into()))
    }

    /// The next column from JSON, in which something must stand.
    pub(crate) fn some_json<T: DeserializeOwned>(&mut self) -> Result<T> {
        self.json()?.ok_or_else(|| self.strange("must not be empty".into()))
    }

    fn strange(&self, why: Box<dyn std::error::Error + Send + Sync>) -> Error {
        Error::FromSqlConversionFailure(self.place - 1, Type::Text, why)
    }
}

/// The job in a row of the columns [`KEPT`].
pub(crate) fn kept(row: &Row<'_>) -> Result<Kept> {
    let mut row = Fields::of(row);
    let record = Record {
        spec: row.some_json()?,
        number: row.next()?,
        created_at: row.time()?,
        status: row.read(|place: u8| Status::ALL.get(usize::from(place)).copied())?,
        reason: row.next()?,
        attempts: row.next()?,
        charged: row.next()?,
        unstarted: row.next()?,
        lease: lease(&mut row)?,
        ready_at: row.time()?,
        next_attempt_at: row.maybe_time()?,
        error: row.json()?,
        result: row.json()?,
        cancel: row.json()?,
        updated_at: row.time()?,
        started_at: row.maybe_time()?,
        completed_at: row.maybe_time()?,
        past: row.json()?.unwrap_or_default(),
    };
    Ok(Kept { record: Arc::new(record), revision: row.bits()?, events: row.bits()? })
}

fn lease(row: &mut Fields<'_>) -> Result<Option<Lease>> {
    let Some(token) = row.next::<Option<Text>>()? else {
        row.place += 7;
        return Ok(None);
    };
    let token = LeaseToken::new(&token).ok_or_else(|| row.strange("not a lease token".into()))?;
    Ok(Some(Lease {
        token,
        worker: row.next()?,
        incarnation: row.next::<Option<i64>>()?.map(|process| Incarnation(process.cast_unsigned())),
        attempt: row.next()?,
        acquired_at: row.time()?,
        heartbeat_at: row.time()?,
        expires_at: row.time()?,
        deadline: row.maybe_time()?,
    }))
}
