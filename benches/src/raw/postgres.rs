//! Claims and completions on PostgreSQL, each one statement that updates the job and appends its event.

use tokio_postgres::{Client, Error, Statement};

const SCHEMA: &str = "
    DROP SCHEMA IF EXISTS raw CASCADE;
    CREATE SCHEMA raw;
    CREATE TABLE raw.jobs (
        id bigint PRIMARY KEY, executor text NOT NULL, state smallint NOT NULL, ready_at bigint NOT NULL,
        payload text NOT NULL, token text, worker text, expires_at bigint, attempts bigint NOT NULL, result text
    );
    CREATE INDEX ON raw.jobs (executor, ready_at, id) WHERE state = 0;
    CREATE INDEX ON raw.jobs (expires_at) WHERE state = 1;
    CREATE TABLE raw.events (
        job bigint NOT NULL, sequence bigint NOT NULL, at bigint NOT NULL, body text NOT NULL,
        PRIMARY KEY (job, sequence)
    );";

const CLAIM: &str = r#"
    WITH now AS MATERIALIZED (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS t),
    picked AS MATERIALIZED (
        SELECT id FROM raw.jobs WHERE executor = $1 AND state = 0
        ORDER BY ready_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    ),
    claimed AS (
        UPDATE raw.jobs j SET state = 1, token = $2, worker = $3, expires_at = t + 60000, attempts = attempts + 1
        FROM picked, now WHERE j.id = picked.id RETURNING j.id, attempts, payload, t, expires_at
    ),
    told AS (
        INSERT INTO raw.events SELECT id, attempts * 2, t,
            '{"Leased":{"worker":"' || $3 || '","attempt":' || attempts || ',"expires_at":' || expires_at || '}}'
        FROM claimed
    )
    SELECT id, payload FROM claimed"#;

const COMPLETE: &str = r#"
    WITH now AS MATERIALIZED (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS t),
    done AS (
        UPDATE raw.jobs SET state = 2, token = NULL, worker = NULL, expires_at = NULL, result = $3
        FROM now WHERE id = $1 AND state = 1 AND token = $2 AND expires_at > t RETURNING id, attempts, t
    ),
    told AS (
        INSERT INTO raw.events SELECT id, attempts * 2 + 1, t, '{"Succeeded":{"result":' || $3 || '}}' FROM done
    )
    SELECT id FROM done"#;

/// A worker with a connection of its own and its statements prepared.
#[derive(Debug)]
pub struct Worker {
    client: Client,
    claim: Statement,
    complete: Statement,
    claims: u64,
    name: String,
}

/// Makes the tables anew, with so many jobs that are ready.
///
/// # Errors
/// What the server said.
pub async fn fill(client: &Client, jobs: i64) -> Result<(), Error> {
    client.batch_execute(SCHEMA).await?;
    let insert = "INSERT INTO raw.jobs SELECT id, 'aider', 0, id, repeat('x', 200), NULL, NULL, NULL, 0, NULL
        FROM generate_series(1, $1::bigint) AS id";
    client.execute(insert, &[&jobs]).await?;
    client.batch_execute("ANALYZE raw.jobs, raw.events").await
}

impl Worker {
    /// A worker of this name.
    ///
    /// # Errors
    /// What the server said.
    pub async fn new(client: Client, name: String) -> Result<Self, Error> {
        let claim = client.prepare(CLAIM).await?;
        let complete = client.prepare(COMPLETE).await?;
        Ok(Self { client, claim, complete, claims: 0, name })
    }

    /// Claims a job and completes it; false if there is none.
    ///
    /// # Errors
    /// What the server said.
    pub async fn turn(&mut self) -> Result<bool, Error> {
        self.claims += 1;
        let token = format!("{}-{}", self.name, self.claims);
        let claimed = self.client.query(&self.claim, &[&"aider", &token, &self.name]).await?;
        let Some(job) = claimed.first() else { return Ok(false) };
        let id: i64 = job.get(0);
        let done = self.client.query(&self.complete, &[&id, &token, &r#"{"outcome":"ok"}"#]).await?;
        Ok(done.len() == 1)
    }
}
