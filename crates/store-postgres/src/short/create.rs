//! A new job that is queued.

use super::moment::Moment;
use crate::digest;
use crate::failure::{Failure, certain};
use crate::records::PostgresRecords;
use crate::row::json;
use holdover_jobs::records::{Found, Need, Step};
use holdover_jobs::{Call, Create, Created, EventBody, Reply};
use holdover_machine::StoreTime;
use std::sync::LazyLock;
use tokio_postgres::types::ToSql;

static STATEMENT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH {},
         fixed AS (
             INSERT INTO specs (number, job_id, key, tenant, consumer, created_at, attempts_max, timeout, spec)
             SELECT nextval('numbers'), $3::text, $4::bytea, $5::bytea, $6::bytea, t, $7::bigint, $8::bigint, $9::text
             FROM now
             WHERE NOT EXISTS (SELECT 1 FROM specs WHERE job_id = $3)
             AND NOT EXISTS (SELECT 1 FROM specs WHERE key = $4)
             ON CONFLICT DO NOTHING RETURNING number, created_at
         ),
         made AS (
             INSERT INTO jobs (number, revision, events, created_at, ready_at, updated_at, attempts, charged,
                 unstarted, status, executor, reason, tenant, consumer, collated)
             SELECT number, 1, 1, created_at, created_at, created_at, 0, 0, 0, 1,
                 $10::text, $11::text, $5, $6, $12::bytea FROM fixed
         ),
         told AS (
             INSERT INTO events (number, sequence, at, body) SELECT number, 1, created_at, $13::text FROM fixed
         )
         SELECT number, created_at FROM fixed",
        Moment::sql()
    )
});

pub(super) async fn carry_out(
    records: &PostgresRecords,
    call: &Call,
    create: &Create,
    moment: Moment,
) -> Result<Option<Reply>, Failure> {
    let spec = &create.spec;
    if create.limits.is_some() || !spec.dispatch_allowed() {
        return Ok(None);
    }
    let request = spec.request.as_ref();
    let tenant = request.and_then(|request| request.tenant.as_ref()).map(digest::of_name);
    let user = request.and_then(|request| request.user.as_ref()).map(digest::of_name);
    let (attempts_max, timeout) = (i64::from(spec.attempts_max), spec.timeout.ms());
    let reason = spec.decision.reason.as_ref();
    let event = EventBody::Queued { executor: spec.executor.clone(), reason: reason.cloned() };
    let (key, collated) = (digest::of_key(&spec.key), spec.job_id.collation_key());
    let values: &[&(dyn ToSql + Sync)] = &[
        &moment.floor,
        &moment.given,
        &spec.job_id.as_str(),
        &key,
        &tenant,
        &user,
        &attempts_max,
        &timeout,
        &json(&**spec),
        &json(&spec.executor),
        &reason.map(json),
        &collated,
        &json(&event),
    ];
    let rows = records.sessions.change(&STATEMENT, values).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let unread = |error| Failure::Unknown(certain(error).to_string());
    let number: i64 = row.try_get(0).map_err(unread)?;
    let time = StoreTime::from_ms(row.try_get(1).map_err(unread)?);
    moment.was(time, records);
    let reply = reply(records, call, number as u32, time);
    if let Reply::Created(Created::New(record)) = &reply {
        records.bounds.written(record);
    }
    Ok(Some(reply))
}

/// What a store answers that knew neither key nor id.
fn reply(records: &PostgresRecords, call: &Call, number: u32, time: StoreTime) -> Reply {
    let mut step = Step::new(call, time, records.order);
    loop {
        let needs = step.needs();
        if needs.is_empty() {
            return step.carry_out().0;
        }
        for need in needs {
            let found = if need == Need::Number { Found::Number(number) } else { Found::Jobs(Vec::new()) };
            step.found(need, found);
        }
    }
}
