//! The schema, brought up to date step by step. Whoever opens a store does so under a lock.

use crate::OpenError;
use crate::failure::describe;
use holdover_jobs::Order;
use tokio_postgres::{Client, Error, Transaction};

/// The steps, in order; the version of a schema is how many it has taken. A step that was released stays as it is.
const STEPS: &[&str] = &[include_str!("../migrations/1_jobs.sql")];

/// Brings the schema up to date, with what this order needs.
pub(crate) async fn migrate(client: &mut Client, schema: &str, order: Order) -> Result<(), OpenError> {
    let failed = |error: Error| OpenError::Migration { schema: schema.to_owned(), why: describe(&error) };
    let transaction = client.transaction().await.map_err(failed)?;
    let found = prepare(&transaction, schema).await.map_err(failed)?;
    let known = STEPS.len() as i64;
    if found > known {
        return Err(OpenError::Later { schema: schema.to_owned(), found, known });
    }
    for (step, version) in STEPS.iter().zip(1_i64..).filter(|(_, version)| *version > found) {
        transaction.batch_execute(step).await.map_err(failed)?;
        transaction.execute("INSERT INTO versions VALUES ($1)", &[&version]).await.map_err(failed)?;
    }
    transaction.batch_execute(waiting(order)).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)
}

/// Takes the lock and answers the version of the schema.
async fn prepare(transaction: &Transaction<'_>, schema: &str) -> Result<i64, Error> {
    let lock = "SELECT pg_advisory_xact_lock(hashtextextended('holdover migration of ' || $1, 0))";
    transaction.execute(lock, &[&schema]).await?;
    let make = format!(
        "SET LOCAL client_min_messages = warning; CREATE SCHEMA IF NOT EXISTS {schema};
         CREATE TABLE IF NOT EXISTS versions (version bigint PRIMARY KEY)"
    );
    transaction.batch_execute(&make).await?;
    let row = transaction.query_one("SELECT coalesce(max(version), 0) FROM versions", &[]).await?;
    Ok(row.get(0))
}

/// The index of jobs that wait for a worker: queued ones and retries, each in the order in which they are handed out.
fn waiting(order: Order) -> &'static str {
    match order {
        Order::Created => {
            "CREATE INDEX IF NOT EXISTS jobs_waiting_as_created
             ON jobs (executor, status, created_at, collated) WHERE status IN (1, 4)"
        }
        Order::Fifo | Order::TenantRing => {
            "CREATE INDEX IF NOT EXISTS jobs_waiting_as_ready
             ON jobs (executor, status, ready_at, number) WHERE status IN (1, 4)"
        }
    }
}
