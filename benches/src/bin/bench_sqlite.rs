//! The SQLite store beside a raw queue, both with a flushed commit, in turn: jobs a second, ratios, latencies.
//!
//! `bench_sqlite [FOLDER]`: the files are made in that folder, else in the system's folder for temporary files.

use holdover_benches::raw::RawSqlite;
use holdover_benches::{Calls, Lap, Shape, fill, microseconds, now, run};
use holdover_jobs::Command;
use holdover_store_sqlite::{Options, SqliteStore};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use tokio::runtime::Runtime;

/// How many rounds a median is taken of.
const ROUNDS: u64 = 5;
/// Jobs of the raw queue in a round; a store, which is faster, takes more.
const RAW_JOBS: u64 = 480;
const STORE_JOBS: u64 = 3_200;
const SHAPES: [(&str, Shape); 3] =
    [("single", Shape::Single), ("fused", Shape::Fused), ("batch of 10", Shape::Batch(10))];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = match std::env::args_os().nth(1) {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut bench = Bench::new(folder.path(), runtime)?;
    for workers in [1, 4, 16] {
        bench.compare(workers)?;
    }
    Ok(())
}

struct Bench {
    runtime: Runtime,
    raw: RawSqlite,
    store: Arc<SqliteStore>,
    spec: String,
    /// Jobs that were created so far in the raw queue and in the store, and workers.
    raw_jobs: u64,
    store_jobs: u64,
    workers: u64,
}

impl Bench {
    fn new(folder: &Path, runtime: Runtime) -> Result<Self, Box<dyn Error>> {
        let raw = RawSqlite::open(&folder.join("raw.db"))?;
        let store = Arc::new(SqliteStore::open(Options::new(folder.join("store.db")))?);
        let Command::Create(create) = Calls::create(0).command else { return Err("a create".into()) };
        let spec = serde_json::to_string(&create.spec)?;
        Ok(Self { runtime, raw, store, spec, raw_jobs: 0, store_jobs: 0, workers: 0 })
    }

    fn compare(&mut self, workers: u64) -> Result<(), Box<dyn Error>> {
        let mut raw = Vec::new();
        let mut store: Vec<Vec<Lap>> = SHAPES.iter().map(|_| Vec::new()).collect();
        for _ in 0..ROUNDS {
            raw.push(self.raw_lap(workers)?);
            for ((_, shape), laps) in SHAPES.iter().zip(&mut store) {
                laps.push(self.store_lap(*shape, workers));
            }
        }
        print("raw, single commits", workers, &raw, &raw);
        for ((name, _), laps) in SHAPES.iter().zip(&store) {
            print(name, workers, laps, &raw);
        }
        Ok(())
    }

    fn raw_lap(&mut self, workers: u64) -> Result<Lap, Box<dyn Error>> {
        self.raw.fill(self.raw_jobs, RAW_JOBS, &self.spec)?;
        self.raw_jobs += RAW_JOBS;
        let begin = now();
        let raw = &self.raw;
        let done = thread::scope(|scope| {
            let start = |worker| scope.spawn(move || take(raw, worker, RAW_JOBS / workers));
            let started: Vec<_> = (0..workers).map(start).collect();
            started.into_iter().map(|worker| worker.join().expect("no worker panics")).collect::<Vec<_>>()
        });
        Ok(Lap::of(begin, done.into_iter()))
    }

    fn store_lap(&mut self, shape: Shape, workers: u64) -> Lap {
        let (store, from, first) = (&self.store, self.store_jobs, self.workers);
        self.store_jobs += STORE_JOBS;
        self.workers += workers;
        self.runtime.block_on(async {
            fill(store, from, STORE_JOBS).await;
            run(store, shape, first, workers, STORE_JOBS).await
        })
    }
}

fn take(raw: &RawSqlite, worker: u64, jobs: u64) -> (u64, hdrhistogram::Histogram<u64>) {
    let mut latency = microseconds();
    let worker = format!("worker-{worker}");
    for job in 0..jobs {
        let token = format!("lease-{worker}-{job}");
        let begin = now();
        let (number, _) = raw.claim(&worker, &token, 1).expect("a job is there for every claim");
        latency.saturating_record(u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX));
        let begin = now();
        assert!(raw.complete(number, &token, 2).expect("the file can be written"), "a held job is completed");
        latency.saturating_record(u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX));
    }
    (jobs, latency)
}

/// Medians over the rounds; the ratio is the median of the ratios of each round.
fn print(name: &str, workers: u64, laps: &[Lap], raw: &[Lap]) {
    let rate = median(laps.iter().map(Lap::rate));
    let ratio = median(laps.iter().zip(raw).map(|(lap, raw)| lap.rate() / raw.rate()));
    let mut latency = microseconds();
    laps.iter().for_each(|lap| latency += &lap.latency);
    let (half, most) = (latency.value_at_quantile(0.5), latency.value_at_quantile(0.99));
    println!(
        "K = {workers:2}  {name:20} {rate:8.0} jobs/s  {ratio:6.2} x raw   p50 {half:5} us   p99 {most:6} us"
    );
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
