//! A record as a row, and back.

use crate::digest;
use crate::failure::{certain, unreadable};
use holdover_jobs::records::Kept;
use holdover_jobs::{Incarnation, JobId, Lease, LeaseToken, Record, Spec, Status};
use holdover_machine::StoreTime;
use holdover_store::StoreError;
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSqlOwned, ToSql};

/// What [`read`] reads, of `jobs j` and `specs s`, in its order.
pub(crate) const COLUMNS: &str = "s.spec, j.number, j.revision, j.events, j.created_at, j.ready_at, \
    j.next_attempt_at, j.updated_at, j.started_at, j.completed_at, j.acquired_at, j.heartbeat_at, j.expires_at, \
    j.deadline, j.attempts, j.charged, j.unstarted, j.status, j.token, j.worker, j.incarnation, j.reason, j.error, \
    j.result, j.cancel, j.past";

/// The same of one relation `j` that has the spec as well.
pub(crate) const SINGLE_COLUMNS: &str = "j.spec, j.number, j.revision, j.events, j.created_at, j.ready_at, \
    j.next_attempt_at, j.updated_at, j.started_at, j.completed_at, j.acquired_at, j.heartbeat_at, j.expires_at, \
    j.deadline, j.attempts, j.charged, j.unstarted, j.status, j.token, j.worker, j.incarnation, j.reason, j.error, \
    j.result, j.cancel, j.past";

/// The columns of `jobs` that [`Stored`] gives a value, in its order: `$1` is the number.
pub(crate) const STORED: [&str; 27] = [
    "number",
    "events",
    "created_at",
    "ready_at",
    "next_attempt_at",
    "updated_at",
    "started_at",
    "completed_at",
    "acquired_at",
    "heartbeat_at",
    "expires_at",
    "deadline",
    "attempts",
    "charged",
    "unstarted",
    "status",
    "executor",
    "token",
    "worker",
    "incarnation",
    "reason",
    "error",
    "result",
    "cancel",
    "past",
    "tenant",
    "consumer",
];

/// A text from outside as it is kept.
pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| unreachable!("a record has a form in JSON: {error}"))
}

/// A process as it is kept: a number beyond what the server's integers hold, and only compared.
pub(crate) fn process(incarnation: Incarnation) -> String {
    incarnation.0.to_string()
}

/// The row of a record.
pub(crate) struct Stored(Vec<Box<dyn ToSql + Sync + Send>>);

impl Stored {
    /// The row of a record whose log has so many events.
    pub(crate) fn of(record: &Record, events: u64) -> Self {
        let time = |at: Option<StoreTime>| at.map(StoreTime::ms);
        let lease = record.lease.as_ref();
        let past: Vec<String> = record.past.iter().map(json).collect();
        let (acquired, heartbeat) =
            (lease.map(|lease| lease.acquired_at), lease.map(|lease| lease.heartbeat_at));
        let (expires, deadline) =
            (lease.map(|lease| lease.expires_at), lease.and_then(|lease| lease.deadline));
        Self(vec![
            Box::new(i64::from(record.number)),
            Box::new(events as i64),
            Box::new(record.created_at.ms()),
            Box::new(record.ready_at.ms()),
            Box::new(time(record.next_attempt_at)),
            Box::new(record.updated_at.ms()),
            Box::new(time(record.started_at)),
            Box::new(time(record.completed_at)),
            Box::new(time(acquired)),
            Box::new(time(heartbeat)),
            Box::new(time(expires)),
            Box::new(time(deadline)),
            Box::new(i64::from(record.attempts)),
            Box::new(i64::from(record.charged)),
            Box::new(i64::from(record.unstarted)),
            Box::new(record.status as i16),
            Box::new(json(&record.spec.executor)),
            Box::new(lease.map(|lease| lease.token.reveal().to_owned())),
            Box::new(lease.map(|lease| json(&lease.worker))),
            Box::new(lease.and_then(|lease| lease.incarnation).map(process)),
            Box::new(record.reason.as_ref().map(json)),
            Box::new(record.error.as_ref().map(json)),
            Box::new(record.result.as_ref().map(json)),
            Box::new(record.cancel.as_ref().map(json)),
            Box::new((!past.is_empty()).then(|| past.join(","))),
            Box::new(record.tenant().map(digest::of_name)),
            Box::new(record.user().map(digest::of_name)),
        ])
    }

    /// The values, in the order of [`STORED`].
    pub(crate) fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.0.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect()
    }
}

/// The job in a row of [`COLUMNS`].
pub(crate) fn read(row: &Row) -> Result<Kept, StoreError> {
    let mut columns = Columns { row, next: 0 };
    let spec: Arc<Spec> = Arc::new(columns.json()?);
    let number = columns.small()?;
    let (revision, events) = (columns.take::<i64>()? as u64, columns.take::<i64>()? as u64);
    let (created_at, ready_at) = (columns.time()?, columns.time()?);
    let next_attempt_at = columns.some_time()?;
    let updated_at = columns.time()?;
    let (started_at, completed_at) = (columns.some_time()?, columns.some_time()?);
    let (acquired_at, heartbeat_at) = (columns.some_time()?, columns.some_time()?);
    let (expires_at, deadline) = (columns.some_time()?, columns.some_time()?);
    let (attempts, charged, unstarted) = (columns.small()?, columns.small()?, columns.small()?);
    let status = columns.status()?;
    let token = columns.token()?;
    let (worker, incarnation) = (columns.some_json()?, columns.incarnation()?);
    let lease = match (token, worker, acquired_at, heartbeat_at, expires_at) {
        (Some(token), Some(worker), Some(acquired_at), Some(heartbeat_at), Some(expires_at)) => Some(Lease {
            token,
            worker,
            incarnation,
            attempt: attempts,
            acquired_at,
            heartbeat_at,
            expires_at,
            deadline,
        }),
        _ => None,
    };
    let record = Record {
        spec,
        number,
        created_at,
        status,
        attempts,
        charged,
        unstarted,
        lease,
        ready_at,
        next_attempt_at,
        updated_at,
        started_at,
        completed_at,
        reason: columns.some_json()?,
        error: columns.some_json()?,
        result: columns.some_json()?,
        cancel: columns.some_json()?,
        past: columns.list()?,
    };
    Ok(Kept { record: Arc::new(record), revision, events })
}

/// The id in a column.
pub(crate) fn job_id(row: &Row, column: usize) -> Result<JobId, StoreError> {
    let text: &str = row.try_get(column).map_err(certain)?;
    JobId::new(text).ok_or_else(|| unreadable("a job id", text))
}

/// The value that a column has in JSON.
pub(crate) fn from_json<T: DeserializeOwned>(row: &Row, column: usize) -> Result<T, StoreError> {
    let text: &str = row.try_get(column).map_err(certain)?;
    serde_json::from_str(text).map_err(|error| unreadable("a value", error))
}

/// The columns of a row, one after the other.
struct Columns<'a> {
    row: &'a Row,
    next: usize,
}

impl Columns<'_> {
    fn step(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn take<T: FromSqlOwned>(&mut self) -> Result<T, StoreError> {
        let column = self.step();
        self.row.try_get(column).map_err(certain)
    }

    fn text(&mut self) -> Result<Option<&str>, StoreError> {
        let column = self.step();
        self.row.try_get(column).map_err(certain)
    }

    fn time(&mut self) -> Result<StoreTime, StoreError> {
        self.take().map(StoreTime::from_ms)
    }

    fn some_time(&mut self) -> Result<Option<StoreTime>, StoreError> {
        Ok(self.take::<Option<i64>>()?.map(StoreTime::from_ms))
    }

    fn small(&mut self) -> Result<u32, StoreError> {
        u32::try_from(self.take::<i64>()?).map_err(|error| unreadable("a count", error))
    }

    fn status(&mut self) -> Result<Status, StoreError> {
        let place = self.take::<i16>()?;
        let status = usize::try_from(place).ok().and_then(|place| Status::ALL.get(place));
        status.copied().ok_or_else(|| unreadable("a status", place))
    }

    fn token(&mut self) -> Result<Option<LeaseToken>, StoreError> {
        let token = |text| LeaseToken::new(text).ok_or_else(|| unreadable("a lease token", "no identifier"));
        self.text()?.map(token).transpose()
    }

    fn incarnation(&mut self) -> Result<Option<Incarnation>, StoreError> {
        let number = |text: &str| text.parse().map_err(|error| unreadable("a process", error));
        Ok(self.text()?.map(number).transpose()?.map(Incarnation))
    }

    fn json<T: DeserializeOwned>(&mut self) -> Result<T, StoreError> {
        self.some_json()?.ok_or_else(|| unreadable("a value", "it is missing"))
    }

    fn some_json<T: DeserializeOwned>(&mut self) -> Result<Option<T>, StoreError> {
        let value = |text: &str| serde_json::from_str(text).map_err(|error| unreadable("a value", error));
        self.text()?.map(value).transpose()
    }

    /// A list that is kept without its brackets, so that one more can be appended; none is an empty one.
    fn list<T: DeserializeOwned>(&mut self) -> Result<Vec<T>, StoreError> {
        let list = |text: &str| {
            serde_json::from_str(&format!("[{text}]")).map_err(|error| unreadable("a list", error))
        };
        self.text()?.map_or(Ok(Vec::new()), list)
    }
}
