//! The claim path of every store, at two sizes of backlog, for one and for four executors, with workers at once. A
//! measurement is the time of all workers together, for one call (or attempt) each. Stores whose server is not installed are left out,
//! and said to be.

use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main, measurement::WallTime,
};
use holdover_bench::{Calls, now};
use holdover_jobs::{Call, Claimed, Created, Operated, Order, Record, Reply, Table};
use holdover_node::SystemClock;
use holdover_servers::{AppendFsync, Postgres, Redis};
use holdover_store::{MemoryStore, Store};
use holdover_store_postgres::PostgresStore;
use holdover_store_redis::{RedisOptions, RedisStore};
use holdover_store_sqlite::{Options, SqliteStore};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

const SIZES: [u64; 2] = [1_000, 100_000];
const EXECUTORS: [usize; 2] = [1, 4];
const WORKERS: [u64; 3] = [1, 4, 16];

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Create,
    Claim,
    ClaimComplete,
    ClaimStartComplete,
    Heartbeat,
    Recover,
}

const PARTS: [(Part, &str); 6] = [
    (Part::Create, "create"),
    (Part::Claim, "claim"),
    (Part::ClaimComplete, "claim, complete"),
    (Part::ClaimStartComplete, "claim, start, complete"),
    (Part::Heartbeat, "heartbeat"),
    (Part::Recover, "recover"),
];

/// A worker, and the jobs that it has claimed.
type Held = (Calls, Vec<Arc<Record>>);

/// A store with a backlog that is kept at its size.
struct Backlog<S> {
    runtime: Arc<Runtime>,
    store: Arc<S>,
    executors: usize,
    created: u64,
    workers: u64,
}

impl<S: Store> Backlog<S> {
    fn of(runtime: &Arc<Runtime>, store: S, executors: usize, jobs: u64) -> Self {
        let runtime = Arc::clone(runtime);
        let mut backlog = Self { runtime, store: Arc::new(store), executors, created: 0, workers: 0 };
        backlog.create(jobs, 64);
        backlog
    }

    /// Runs one task for each worker, and answers how long that took.
    fn at_once<T, F>(
        &self,
        workers: impl Iterator<Item = T>,
        work: impl Fn(Arc<S>, T) -> F,
    ) -> (Duration, Vec<F::Output>)
    where
        F: Future<Output: Send> + Send + 'static,
    {
        let begin = now();
        let done = self.runtime.block_on(async {
            let tasks: Vec<_> =
                workers.map(|worker| tokio::spawn(work(Arc::clone(&self.store), worker))).collect();
            let mut done = Vec::new();
            for task in tasks {
                done.push(task.await.expect("no worker panics"));
            }
            done
        });
        (begin.elapsed(), done)
    }

    fn create(&mut self, jobs: u64, lanes: u64) -> Duration {
        let (from, until, executors) = (self.created, self.created + jobs, self.executors);
        self.created = until;
        let create = |store: Arc<S>, lane: u64| async move {
            for number in (from + lane..until).step_by(lanes as usize) {
                let reply = execute(&*store, Calls::create_for(number, executors)).await;
                assert!(matches!(reply, Reply::Created(Created::New(_))), "{reply:?}");
            }
        };
        self.at_once(0..lanes, create).0
    }

    /// Workers that no claim was made by before.
    fn calls(&mut self, workers: u64) -> Vec<Calls> {
        let first = self.workers;
        self.workers += workers;
        (first..self.workers).map(|worker| Calls::of(worker).executors(self.executors)).collect()
    }

    /// Each worker claims this many jobs.
    fn claim(&self, calls: Vec<Calls>, each: u64) -> (Duration, Vec<Held>) {
        self.at_once(calls.into_iter(), |store, mut calls| async move {
            let mut held = Vec::new();
            for _ in 0..each {
                held.push(claimed(execute(&*store, calls.claim()).await));
            }
            (calls, held)
        })
    }

    /// Carries a part out so many times, and leaves the backlog as it was.
    fn measure(&mut self, part: Part, workers: u64, times: u64) -> Duration {
        let each = times.div_ceil(workers);
        match part {
            Part::Create => {
                let taken = self.create(each * workers, workers);
                self.remove(each * workers);
                taken
            }
            Part::Claim => {
                let (taken, held) = {
                    let calls = self.calls(workers);
                    self.claim(calls, each)
                };
                self.complete(held);
                self.create(each * workers, 64);
                taken
            }
            Part::ClaimComplete | Part::ClaimStartComplete => {
                let calls = self.calls(workers);
                let starts = part == Part::ClaimStartComplete;
                let (taken, _) =
                    self.at_once(calls.into_iter(), |store, calls| attempts(store, calls, each, starts));
                self.create(each * workers, 64);
                taken
            }
            Part::Heartbeat => {
                let (_, held) = {
                    let calls = self.calls(workers);
                    self.claim(calls, 1)
                };
                let kept = |store: Arc<S>, (calls, held): Held| async move {
                    for _ in 0..each {
                        applied(&execute(&*store, calls.heartbeat(&held[0])).await);
                    }
                    (calls, held)
                };
                let (taken, held) = self.at_once(held.into_iter(), kept);
                self.complete(held);
                self.create(workers, 64);
                taken
            }
            Part::Recover => self.recover(workers, each),
        }
    }

    fn recover(&mut self, workers: u64, each: u64) -> Duration {
        let calls = self.calls(workers).into_iter().map(Calls::short).collect();
        let (_, held) = self.claim(calls, each);
        self.runtime.block_on(tokio::time::sleep(Duration::from_millis(5)));
        let recover = |store: Arc<S>, (_, held): Held| async move {
            for record in held {
                applied(&execute(&*store, Calls::recover(&record)).await);
            }
        };
        self.at_once(held.into_iter(), recover).0
    }

    fn complete(&self, held: Vec<Held>) {
        let complete = |store: Arc<S>, (calls, held): Held| async move {
            for some in held.chunks(100) {
                execute(&*store, calls.complete_many(some.iter().map(|record| &**record))).await;
            }
        };
        self.at_once(held.into_iter(), complete);
    }

    /// Takes jobs out of the backlog.
    fn remove(&mut self, jobs: u64) {
        let calls = self.calls(16);
        let (_, held) = self.claim(calls, jobs.div_ceil(16));
        self.complete(held);
        self.create(jobs.div_ceil(16) * 16 - jobs, 64);
    }
}

async fn attempts<S: Store>(store: Arc<S>, mut calls: Calls, each: u64, starts: bool) {
    for _ in 0..each {
        let record = claimed(execute(&*store, calls.claim()).await);
        if starts {
            applied(&execute(&*store, calls.start(&record)).await);
        }
        applied(&execute(&*store, calls.complete(&record)).await);
    }
}

async fn execute<S: Store>(store: &S, call: Call) -> Reply {
    store.execute(call).await.expect("the store works")
}

fn claimed(reply: Reply) -> Arc<Record> {
    match reply {
        Reply::Claimed(Claimed::Granted(grant)) => grant.record,
        other => panic!("a job is there for every claim, not {other:?}"),
    }
}

fn applied(reply: &Reply) {
    let is_applied = matches!(reply, Reply::Operated(Operated::Applied { replayed: false, .. }));
    assert!(is_applied, "what the holder asks is done, not {reply:?}");
}

/// Measures every part on stores that are opened empty, one for each size and set of executors.
fn measure<S: Store>(criterion: &mut Criterion, name: &str, runtime: &Arc<Runtime>, open: impl Fn() -> S) {
    for jobs in SIZES {
        for executors in EXECUTORS {
            let mut backlog = Backlog::of(runtime, open(), executors, jobs);
            for (part, what) in PARTS {
                let mut group = criterion.benchmark_group(format!("{name}: {what}"));
                group
                    .sample_size(10)
                    .measurement_time(Duration::from_secs(1))
                    .warm_up_time(Duration::from_millis(200));
                for workers in WORKERS {
                    let id = format!("{jobs} jobs, {executors} executors, {workers} workers");
                    one(&mut group, &id, &mut backlog, part, workers);
                }
            }
        }
    }
}

fn one<S: Store>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: &str,
    backlog: &mut Backlog<S>,
    part: Part,
    workers: u64,
) {
    group.bench_function(BenchmarkId::from_parameter(id), |bencher| {
        bencher.iter_custom(|times| {
            let rounds = times.div_ceil(workers) * workers;
            let taken = backlog.measure(part, workers, times);
            taken.mul_f64(times as f64 / rounds as f64)
        });
    });
}

fn stores(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let runtime = Arc::new(runtime);
    measure(criterion, "memory", &runtime, || {
        MemoryStore::new(Table::new(Order::Fifo), SystemClock::store_time)
    });
    let folder = tempfile::tempdir().expect("a folder");
    let files = std::cell::Cell::new(0);
    measure(criterion, "sqlite", &runtime, || {
        files.set(files.get() + 1);
        SqliteStore::open(Options::new(folder.path().join(format!("{}.db", files.get())))).expect("a file")
    });
    match Postgres::start() {
        Ok(server) => measure(criterion, "postgres", &runtime, || {
            let open = PostgresStore::open(server.url());
            let store = runtime.block_on(open).expect("a store");
            runtime.block_on(store.reset()).expect("an empty store");
            store
        }),
        Err(error) => println!("postgres is left out: {error}"),
    }
    match Redis::start(AppendFsync::Always) {
        Ok(server) => measure(criterion, "redis", &runtime, || {
            let open = RedisStore::open(RedisOptions::new(server.url()));
            let store = runtime.block_on(open).expect("a store");
            runtime.block_on(store.reset()).expect("an empty store");
            store
        }),
        Err(error) => println!("redis is left out: {error}"),
    }
}

criterion_group!(benches, stores);
criterion_main!(benches);
