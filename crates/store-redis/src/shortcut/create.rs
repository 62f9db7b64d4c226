use super::Clock;
use crate::outcome;
use crate::records::RedisRecords;
use crate::reply::{Damaged, parts, read};
use crate::row::{json, row_of};
use holdover_jobs::records::{Found, Need, Step};
use holdover_jobs::{Call, Command, Create, Created, EventBody, Record, Reply, Stamp};
use holdover_machine::StoreTime;
use holdover_store::StoreError;
use redis::Value;
use std::sync::Arc;

/// Creates a job of which neither id nor key are known, and for which no limits are asked.
pub(super) async fn run(
    records: &RedisRecords,
    clock: &Clock<'_>,
    create: &Create,
) -> Result<Option<Reply>, StoreError> {
    let command = Command::Create(Box::new(create.clone()));
    let call = Call { stamp: Stamp::Caller(StoreTime::ZERO), command };
    let Some((record, body)) = in_an_empty_store(&call, records) else { return Ok(None) };
    let mut arguments = clock.arguments();
    arguments.add(record.id()).add_key(&record.spec.key);
    arguments.extend(row_of(&record, records.order));
    arguments.add(json(&body));
    let answer = records.link.run(&records.scripts.create, &arguments).await?;
    if answer == Value::Nil {
        return Ok(None);
    }
    let record = created(record, answer, clock).map_err(|damaged| outcome::of_answer(&damaged))?;
    Ok(Some(Reply::Created(Created::New(Arc::new(record)))))
}

/// The record and the event that the create makes where there is nothing, at the origin of time and under the number 0.
fn in_an_empty_store(call: &Call, records: &RedisRecords) -> Option<(Record, EventBody)> {
    let mut step = Step::new(call, StoreTime::ZERO, records.order);
    loop {
        let needs = step.needs();
        if needs.is_empty() {
            break;
        }
        for need in needs {
            let nothing = match need {
                Need::Job(_) | Need::Key(_) => Found::Jobs(Vec::new()),
                Need::Number => Found::Number(0),
                _ => return None,
            };
            step.found(need, nothing);
        }
    }
    let (_, changes) = step.carry_out();
    let job = changes.jobs.into_iter().next()?;
    Some((job.record, job.events.into_iter().next()?.body))
}

/// The record as the script has made it: it writes its time over every time, and its number.
fn created(record: Record, answer: Value, clock: &Clock<'_>) -> Result<Record, Damaged> {
    let [now, number] = parts(answer)?;
    let now = clock.judged(read(now)?);
    Ok(Record {
        number: read(number)?,
        created_at: now,
        ready_at: now,
        updated_at: now,
        completed_at: record.completed_at.map(|_| now),
        ..record
    })
}
