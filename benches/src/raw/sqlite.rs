use super::{Outcome, RESULT, Raw, RawWorker};
use rusqlite::{Connection, Result, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const TABLES: &str = "
    CREATE TABLE jobs (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, executor TEXT NOT NULL, spec TEXT NOT NULL,
        status INTEGER NOT NULL, ready_at INTEGER NOT NULL, attempts INTEGER NOT NULL,
        token TEXT, worker TEXT, expires_at INTEGER, result TEXT, updated_at INTEGER NOT NULL,
        completed_at INTEGER) STRICT;
    CREATE INDEX ready ON jobs (executor, ready_at) WHERE status = 1;
    CREATE INDEX lease ON jobs (expires_at) WHERE expires_at IS NOT NULL;
    CREATE TABLE events (
        number INTEGER NOT NULL, sequence INTEGER NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (number, sequence)) STRICT, WITHOUT ROWID;";

const CLAIM: &str = "
    UPDATE jobs SET status = 2, attempts = attempts + 1, token = ?2, worker = ?3, expires_at = ?4, updated_at = ?5
    WHERE number = (SELECT number FROM jobs WHERE status = 1 AND executor = ?1 ORDER BY ready_at, number LIMIT 1)
    RETURNING number, spec";

const COMPLETE: &str = "
    UPDATE jobs SET status = 5, token = NULL, worker = NULL, expires_at = NULL, result = ?3, updated_at = ?4,
        completed_at = ?4
    WHERE number = ?1 AND status = 2 AND token = ?2 AND expires_at > ?4";

const EVENT: &str = "INSERT INTO events VALUES (?1, ?2, ?3, ?4)";

/// One connection behind a lock, and a flushed commit for each transition: what is written first for a queue in
/// SQLite.
#[derive(Debug)]
pub struct RawSqlite {
    folder: PathBuf,
    queues: u32,
}

#[derive(Debug)]
struct Queue {
    connection: Mutex<Connection>,
    events: bool,
}

/// A worker of it.
#[derive(Debug)]
pub struct SqliteWorker {
    queue: Arc<Queue>,
    name: String,
    claims: u64,
}

impl RawSqlite {
    /// Queues in this folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), queues: 0 }
    }
}

impl Raw for RawSqlite {
    type Worker = SqliteWorker;

    async fn begin(
        &mut self,
        jobs: u64,
        spec: &str,
        workers: u64,
        events: bool,
    ) -> Outcome<Vec<SqliteWorker>> {
        self.queues += 1;
        let connection = Connection::open(self.folder.join(format!("raw-{}.db", self.queues)))?;
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(TABLES)?;
        let queue = Arc::new(Queue { connection: Mutex::new(connection), events });
        queue.fill(jobs, spec)?;
        let worker =
            |number| SqliteWorker { queue: Arc::clone(&queue), name: format!("worker-{number}"), claims: 0 };
        Ok((0..workers).map(worker).collect())
    }
}

impl RawWorker for SqliteWorker {
    async fn turn(&mut self) -> Outcome<()> {
        self.claims += 1;
        let (queue, name, token) =
            (Arc::clone(&self.queue), self.name.clone(), format!("lease-{}-{}", self.name, self.claims));
        tokio::task::spawn_blocking(move || {
            let (number, _) = queue.claim(&name, &token, 1)?;
            match queue.complete(number, &token, 2)? {
                true => Ok(()),
                false => Err("a job that is held is not completed".into()),
            }
        })
        .await?
    }
}

impl Queue {
    /// Creates jobs in one transaction: this is not measured.
    fn fill(&self, jobs: u64, spec: &str) -> Result<()> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for number in 0..jobs.cast_signed() {
            let sql = "INSERT INTO jobs (number, id, executor, spec, status, ready_at, attempts, updated_at)
                VALUES (?1, ?2, 'aider', ?3, 1, ?1, 0, ?1)";
            transaction.prepare_cached(sql)?.execute(params![number, format!("job-{number}"), spec])?;
            let event = r#"{"Queued":{"executor":"aider","reason":null}}"#;
            transaction.prepare_cached(EVENT)?.execute(params![number, 1, number, event])?;
        }
        transaction.commit()
    }

    /// Claims the first job; it is an error if there is none.
    fn claim(&self, worker: &str, token: &str, now: i64) -> Result<(i64, String)> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let expires_at = now + 600_000;
        let claimed: (i64, String) = transaction
            .prepare_cached(CLAIM)?
            .query_row(params!["aider", token, worker, expires_at, now], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        if self.events {
            let event = format!(
                r#"{{"Leased":{{"worker":"{worker}","executor":"aider","attempt":1,"expires_at":{expires_at}}}}}"#
            );
            transaction.prepare_cached(EVENT)?.execute(params![claimed.0, 2, now, event])?;
        }
        transaction.commit()?;
        Ok(claimed)
    }

    /// Completes a job; `false` if it is not this worker's any more.
    fn complete(&self, number: i64, token: &str, now: i64) -> Result<bool> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let changed = transaction.prepare_cached(COMPLETE)?.execute(params![number, token, RESULT, now])?;
        if self.events {
            let event = format!(r#"{{"Succeeded":{{"result":{RESULT}}}}}"#);
            transaction.prepare_cached(EVENT)?.execute(params![number, 3, now, event])?;
        }
        transaction.commit()?;
        Ok(changed == 1)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
