use crate::Calls;
use hdrhistogram::Histogram;
use holdover_jobs::{Call, Claimed, ClaimedMany, Created, Grant, Operated, Reply};
use holdover_store::Store;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How workers take jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A claim, then a completion.
    Single,
    /// Each completion with the next claim.
    Fused,
    /// A claim of so many, then their completion.
    Batch(usize),
}

/// What some workers have done.
#[derive(Debug)]
pub struct Lap {
    /// Jobs that were completed.
    pub jobs: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// How long each call took, in microseconds.
    pub latency: Histogram<u64>,
}

impl Lap {
    /// Jobs a second.
    pub fn rate(&self) -> f64 {
        self.jobs as f64 / self.elapsed.as_secs_f64()
    }

    /// A lap of these workers, begun together: the jobs of each and how long its calls took.
    pub fn of(begin: Instant, workers: impl Iterator<Item = (u64, Histogram<u64>)>) -> Self {
        let mut lap = Self { jobs: 0, elapsed: begin.elapsed(), latency: microseconds() };
        for (jobs, latency) in workers {
            lap.jobs += jobs;
            lap.latency += latency;
        }
        lap
    }
}

/// An empty histogram of microseconds, up to a minute.
pub fn microseconds() -> Histogram<u64> {
    Histogram::new_with_max(60_000_000, 3).expect("three digits are possible")
}

/// The machine's clock.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn now() -> Instant {
    Instant::now()
}

/// Creates jobs from this number on, many at once.
pub async fn fill<S: Store>(store: &Arc<S>, from: u64, jobs: u64) {
    const AT_ONCE: u64 = 64;
    let create = |lane: u64| {
        let store = Arc::clone(store);
        tokio::spawn(async move {
            for number in (from + lane..from + jobs).step_by(AT_ONCE as usize) {
                let reply = store.execute(Calls::create(number)).await;
                assert!(matches!(reply, Ok(Reply::Created(Created::New(_)))), "{reply:?}");
            }
        })
    };
    let lanes: Vec<_> = (0..AT_ONCE).map(create).collect();
    for lane in lanes {
        lane.await.expect("no lane panics");
    }
}

/// Lets workers take this many jobs, which must be there. A worker process has its number from `first` on.
pub async fn run<S: Store>(store: &Arc<S>, shape: Shape, first: u64, workers: u64, jobs: u64) -> Lap {
    let begin = now();
    let start = |worker: u64| {
        let worker =
            Worker { store: Arc::clone(store), calls: Calls::of(first + worker), latency: microseconds() };
        tokio::spawn(worker.take(shape, jobs / workers))
    };
    let started: Vec<_> = (0..workers).map(start).collect();
    let mut done = Vec::new();
    for worker in started {
        done.push(worker.await.expect("no worker panics"));
    }
    Lap::of(begin, done.into_iter())
}

struct Worker<S> {
    store: Arc<S>,
    calls: Calls,
    latency: Histogram<u64>,
}

impl<S: Store> Worker<S> {
    async fn take(mut self, shape: Shape, jobs: u64) -> (u64, Histogram<u64>) {
        match shape {
            Shape::Single => self.singly(jobs).await,
            Shape::Fused => self.fused(jobs).await,
            Shape::Batch(size) => self.in_batches(jobs / size as u64, size).await,
        }
        let taken = if let Shape::Batch(size) = shape { jobs / size as u64 * size as u64 } else { jobs };
        (taken, self.latency)
    }

    async fn singly(&mut self, jobs: u64) {
        for _ in 0..jobs {
            let claim = self.calls.claim();
            let grant = claimed(self.execute(claim).await);
            let complete = self.calls.complete(&grant.record);
            applied(&self.execute(complete).await);
        }
    }

    async fn fused(&mut self, jobs: u64) {
        let claim = self.calls.claim();
        let mut grant = claimed(self.execute(claim).await);
        for _ in 1..jobs {
            let both = self.calls.complete_and_claim(&grant.record);
            let reply = self.execute(both).await;
            let Reply::SettledAndClaimed { settled: Operated::Applied { .. }, claimed } = reply else {
                panic!("a job is there for every claim, not {reply:?}")
            };
            grant = self::claimed(Reply::Claimed(claimed));
        }
        let complete = self.calls.complete(&grant.record);
        applied(&self.execute(complete).await);
    }

    async fn in_batches(&mut self, batches: u64, size: usize) {
        for _ in 0..batches {
            let claim = self.calls.claim_many(size);
            let reply = self.execute(claim).await;
            let Reply::ClaimedMany(ClaimedMany::Granted(grants)) = reply else {
                panic!("jobs are there for every claim, not {reply:?}")
            };
            let complete = self.calls.complete_many(grants.iter().map(|grant| &*grant.record));
            let reply = self.execute(complete).await;
            let Reply::OperatedMany(operated) = reply else { panic!("jobs are completed, not {reply:?}") };
            assert_eq!(operated.len(), size);
        }
    }

    async fn execute(&mut self, call: Call) -> Reply {
        let begin = now();
        let reply = self.store.execute(call).await;
        self.latency.saturating_record(u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX));
        reply.expect("the store works")
    }
}

fn claimed(reply: Reply) -> Grant {
    match reply {
        Reply::Claimed(Claimed::Granted(grant)) => grant,
        other => panic!("a job is there for every claim, not {other:?}"),
    }
}

fn applied(reply: &Reply) {
    let is_applied = matches!(reply, Reply::Operated(Operated::Applied { replayed: false, .. }));
    assert!(is_applied, "a job that is held is completed, not {reply:?}");
}
