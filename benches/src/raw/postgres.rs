//! Claims and completions on PostgreSQL, each one statement that updates the job and appends its event.

use super::{Outcome, RESULT, Raw, RawWorker};
use tokio_postgres::{Client, NoTls, Statement};

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
            '{"Leased":{"worker":"' || $3 || '","executor":"' || $1 || '","attempt":' || attempts
                || ',"expires_at":' || expires_at || '}}'
        FROM claimed WHERE $4::boolean
    )
    SELECT id, payload FROM claimed"#;

const COMPLETE: &str = r#"
    WITH now AS MATERIALIZED (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS t),
    done AS (
        UPDATE raw.jobs SET state = 2, token = NULL, worker = NULL, expires_at = NULL, result = $3
        FROM now WHERE id = $1 AND state = 1 AND token = $2 AND expires_at > t RETURNING id, attempts, t
    ),
    told AS (
        INSERT INTO raw.events SELECT id, attempts * 2 + 1, t, '{"Succeeded":{"result":' || $3 || '}}' FROM done WHERE $4::boolean
    )
    SELECT id FROM done"#;

const FILL: &str = "INSERT INTO raw.jobs
    SELECT id, 'aider', 0, id, $2, NULL, NULL, NULL, 0, NULL FROM generate_series(1, $1::bigint) AS id";

/// A table that workers update by one statement for each transition: what is written by hand for a queue in PostgreSQL.
#[derive(Debug)]
pub struct RawPostgres {
    url: String,
}

/// A worker with a connection of its own and its statements prepared.
#[derive(Debug)]
pub struct PostgresWorker {
    client: Client,
    claim: Statement,
    complete: Statement,
    claims: u64,
    name: String,
    events: bool,
}

impl RawPostgres {
    /// On this server.
    pub fn new(url: String) -> Self {
        Self { url }
    }

    async fn connect(&self) -> Outcome<Client> {
        let (client, connection) = tokio_postgres::connect(&self.url, NoTls).await?;
        tokio::spawn(connection);
        Ok(client)
    }
}

impl Raw for RawPostgres {
    type Worker = PostgresWorker;

    async fn begin(
        &mut self,
        jobs: u64,
        spec: &str,
        workers: u64,
        events: bool,
    ) -> Outcome<Vec<PostgresWorker>> {
        let client = self.connect().await?;
        client.batch_execute(SCHEMA).await?;
        client.execute(FILL, &[&jobs.cast_signed(), &spec]).await?;
        client.batch_execute("ANALYZE raw.jobs, raw.events").await?;
        let mut all = Vec::new();
        for number in 0..workers {
            let client = self.connect().await?;
            let (claim, complete) = (client.prepare(CLAIM).await?, client.prepare(COMPLETE).await?);
            all.push(PostgresWorker {
                client,
                claim,
                complete,
                claims: 0,
                name: format!("worker-{number}"),
                events,
            });
        }
        Ok(all)
    }
}

impl RawWorker for PostgresWorker {
    async fn turn(&mut self) -> Outcome<()> {
        self.claims += 1;
        let token = format!("lease-{}-{}", self.name, self.claims);
        let claimed = self.client.query(&self.claim, &[&"aider", &token, &self.name, &self.events]).await?;
        let job = claimed.first().ok_or("the queue ran dry")?;
        let (id, _): (i64, &str) = (job.get(0), job.get(1));
        let done = self.client.query(&self.complete, &[&id, &token, &RESULT, &self.events]).await?;
        if done.len() == 1 { Ok(()) } else { Err("a job that is held is not completed".into()) }
    }
}
