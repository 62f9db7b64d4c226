//! Baselines by hand: queues that write the same durable rows as a store, a job's and its event's in one transaction,
//! without the protocol. The same without events is beside them, to see what those cost.

mod postgres;
mod redis;
mod sqlite;

pub use postgres::RawPostgres;
pub use redis::RawRedis;
pub use sqlite::RawSqlite;

use holdover_bench::{Calls, Lap, now};
use holdover_jobs::Command;
use std::error::Error;
use std::future::Future;

/// What may go wrong in a benchmark; it ends with it.
pub type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// What a completed job has for a result.
const RESULT: &str = r#"{"outcome":"completed","summary":null,"artifacts":[],"metrics":{}}"#;

/// A queue by hand.
pub trait Raw {
    /// A worker with what it needs for itself.
    type Worker: RawWorker;

    /// Makes the queue anew with so many jobs, each with this to do, and a number of workers.
    fn begin(
        &mut self,
        jobs: u64,
        spec: &str,
        workers: u64,
        events: bool,
    ) -> impl Future<Output = Outcome<Vec<Self::Worker>>>;
}

/// Who takes jobs of a queue.
pub trait RawWorker: Send + 'static {
    /// Claims a job, with what is to be done, and completes it: two durable transitions.
    fn turn(&mut self) -> impl Future<Output = Outcome<()>> + Send;
}

/// What a job of the stores has to do, as they keep it.
pub fn spec() -> Outcome<String> {
    let Command::Create(create) = Calls::create(0).command else { return Err("a create".into()) };
    Ok(serde_json::to_string(&create.spec)?)
}

/// A lap of the queue: so many jobs, by so many workers. The latency is that of whole turns.
pub async fn lap<R: Raw>(raw: &mut R, jobs: u64, workers: u64, events: bool) -> Outcome<Lap> {
    let workers = raw.begin(jobs, &spec()?, workers, events).await?;
    let each = jobs / workers.len() as u64;
    let begin = now();
    let taken = workers.into_iter().map(|mut worker| {
        tokio::spawn(async move {
            let mut lap = Lap::new();
            for _ in 0..each {
                let begin = now();
                worker.turn().await?;
                lap.latency.saturating_record(u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX));
                lap.jobs += 1;
            }
            lap.elapsed = now().duration_since(begin);
            Outcome::Ok(lap)
        })
    });
    let mut all = Lap::new();
    for worker in taken.collect::<Vec<_>>() {
        all.add(&worker.await??);
    }
    Ok(all)
}
