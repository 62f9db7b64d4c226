//! A store beside a queue by hand with the same durability, in turn on the same machine: jobs a second, how many times
//! those of the queue, and how long calls take.
//!
//! `beside_raw sqlite [FOLDER] | postgres | redis`: a folder is where files are made, in place of the system's for
//! temporary files; the servers are started for it and end with it.

use holdover_bench::{Bench, Lap, Load, Shape};
use holdover_benches::raw::{self, Outcome, Raw, RawPostgres, RawRedis, RawSqlite};
use holdover_servers::{AppendFsync, Postgres, Redis};
use holdover_store::Store;
use holdover_store_postgres::{Options as PostgresOptions, PostgresStore};
use holdover_store_redis::{RedisOptions, RedisStore};
use holdover_store_sqlite::{Options, SqliteStore};
use std::time::Duration;
use tokio_postgres::NoTls;

/// Figures are medians over so many rounds.
const ROUNDS: usize = 5;
/// Jobs of a lap: of the queue, and of a store, which is mostly faster.
const RAW_JOBS: u64 = 960;
const JOBS: u64 = 3_200;
const WORKERS: [u64; 3] = [1, 4, 16];

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().unwrap_or_default();
    match kind.as_str() {
        "sqlite" => {
            let folder = match arguments.next() {
                Some(folder) => tempfile::tempdir_in(folder)?,
                None => tempfile::tempdir()?,
            };
            let store = SqliteStore::open(Options::new(folder.path().join("store.db")))?;
            compare(RawSqlite::new(folder.path()), Bench::new(store, false)).await
        }
        "postgres" => {
            let server = Postgres::start()?;
            let store = PostgresStore::open(server.url()).await?;
            compare(RawPostgres::new(server.url()), Bench::new(store, false)).await?;
            under_snapshot(&server).await
        }
        "redis" => {
            let server = Redis::start(AppendFsync::Always)?;
            let store = RedisStore::open(RedisOptions::new(server.url())).await?;
            compare(RawRedis::new(&format!("{}/1", server.url()))?, Bench::new(store, false)).await
        }
        _ => Err("beside_raw takes sqlite, postgres or redis".into()),
    }
}

/// A lap of every shape, and of the queue with and without events, in each round.
async fn compare<R: Raw, S: Store>(mut queue: R, mut store: Bench<S>) -> Outcome<()> {
    for workers in WORKERS {
        let (mut raw, mut bare) = (Vec::new(), Vec::new());
        let mut laps: Vec<Vec<Lap>> = Shape::ALL.iter().map(|_| Vec::new()).collect();
        for _ in 0..ROUNDS {
            raw.push(raw::lap(&mut queue, RAW_JOBS, workers, true).await?);
            for (shape, laps) in Shape::ALL.into_iter().zip(&mut laps) {
                store.fill(JOBS).await?;
                laps.push(store.lap(&load(shape, workers, JOBS)).await?);
            }
            bare.push(raw::lap(&mut queue, RAW_JOBS, workers, false).await?);
        }
        print("by hand", workers, &raw, &raw);
        print("by hand, no events", workers, &bare, &raw);
        for (shape, laps) in Shape::ALL.into_iter().zip(&laps) {
            print(&shape.to_string(), workers, laps, &raw);
        }
    }
    Ok(())
}

fn load(shape: Shape, workers: u64, jobs: u64) -> Load {
    Load { shape, workers, jobs, lasts: Duration::from_secs(3_600) }
}

/// Medians over the rounds; the ratio is the median of the ratios of each round.
fn print(name: &str, workers: u64, laps: &[Lap], raw: &[Lap]) {
    let rate = median(laps.iter().map(Lap::rate));
    let ratio = median(laps.iter().zip(raw).map(|(lap, raw)| lap.rate() / raw.rate()));
    let mut all = Lap::new();
    laps.iter().for_each(|lap| all.add(lap));
    let (half, most) = (all.latency.value_at_quantile(0.5), all.latency.value_at_quantile(0.99));
    println!(
        "K = {workers:2}  {name:20} {rate:8.0} jobs/s  {ratio:6.2} x by hand   p50 {half:5} us   p99 {most:6} us"
    );
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// What PostgreSQL takes before, and after 10,000 jobs were drained while somebody keeps a snapshot of the time before.
async fn under_snapshot(server: &Postgres) -> Outcome<()> {
    let store = PostgresStore::open(PostgresOptions::new(server.url()).schema("snapshot")).await?;
    let mut store = Bench::new(store, false);
    store.fill(14_500).await?;
    let (keeper, connection) = tokio_postgres::connect(&server.url(), NoTls).await?;
    tokio::spawn(connection);
    keeper.batch_execute("ANALYZE snapshot.jobs, snapshot.specs").await?;
    let before = store.lap(&load(Shape::Single, 4, 2_000)).await?;
    keeper.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM snapshot.jobs").await?;
    store.lap(&load(Shape::Single, 4, 10_000)).await?;
    let after = store.lap(&load(Shape::Single, 4, 2_000)).await?;
    let ratio = after.rate() / before.rate();
    println!("K =  4  under a snapshot of before 10000 jobs: {ratio:.2} of the jobs/s");
    Ok(())
}
