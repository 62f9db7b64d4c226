//! The store on PostgreSQL against the raw baseline, in one run on a throw-away server that flushes every commit: claims
//! and completions one by one, fused, and ten at a time; and what an old snapshot costs. Rounds are interleaved, and
//! what is compared are ratios within a round.
//!
//! `bench_postgres [JOBS] [WORKERS] [ROUNDS]`

use holdover_benches::{Queue, raw};
use holdover_jobs::rules::{Charge, Floor, Identity, Leftovers, Requeue};
use holdover_jobs::{
    Call, Change, Claim, ClaimMany, Claimed, ClaimedMany, Command, Create, Grant, Guard, Guards, Holder,
    Incarnation, JobResult, LeaseToken, Lose, Operate, Reply, SettleAndClaim, Spec, Stamp, StatusSet,
};
use holdover_machine::Span;
use holdover_servers::Postgres;
use holdover_store::Store;
use holdover_store_postgres::{Options, PostgresStore};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;
use tokio_postgres::{Client, NoTls};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Single,
    Fused,
    Batch,
}

#[derive(Debug, Clone, Copy)]
struct Size {
    jobs: u64,
    workers: u64,
    rounds: u64,
}

fn main() -> Outcome<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |default| numbers.next().unwrap_or(Ok(default));
    let size = Size { jobs: next(4_000)?, workers: next(4)?, rounds: next(3)? };
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?.block_on(run(size))
}

async fn run(size: Size) -> Outcome<()> {
    let server = Postgres::start()?;
    let mut ratios = [Vec::new(), Vec::new(), Vec::new()];
    for round in 0..size.rounds {
        let raw = raw_round(&server, size).await?;
        println!("raw    {raw:8.0} jobs/s");
        for (shape, ratios) in [Shape::Single, Shape::Fused, Shape::Batch].into_iter().zip(&mut ratios) {
            let rate = round_of(&server, size, shape, round).await?;
            println!("{shape:6?} {rate:8.0} jobs/s, {:.2} of raw", rate / raw);
            ratios.push(rate / raw);
        }
    }
    for (shape, ratios) in ["single", "fused", "batch"].iter().zip(&mut ratios) {
        ratios.sort_by(f64::total_cmp);
        println!("{shape}: median {:.2} of raw, K = {}", ratios[ratios.len() / 2], size.workers);
    }
    let (before, after) = under_snapshot(&server, size).await?;
    println!("old snapshot: {before:.0} jobs/s before, {after:.0} after 10000 jobs, {:.2}", after / before);
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads a clock")]
fn instant() -> Instant {
    Instant::now()
}

async fn connect(server: &Postgres) -> Outcome<Client> {
    let (client, connection) = tokio_postgres::connect(&server.url(), NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

async fn raw_round(server: &Postgres, size: Size) -> Outcome<f64> {
    raw::postgres::fill(&connect(server).await?, size.jobs as i64 + 100).await?;
    let mut workers = Vec::new();
    for worker in 0..size.workers {
        workers.push(raw::postgres::Worker::new(connect(server).await?, format!("w{worker}")).await?);
    }
    let each = size.jobs / size.workers;
    let start = instant();
    let turns = workers.into_iter().map(|mut worker| {
        tokio::spawn(async move {
            for _ in 0..each {
                if !worker.turn().await? {
                    return Err("the raw queue ran dry".into());
                }
            }
            Outcome::Ok(())
        })
    });
    for turn in turns.collect::<Vec<_>>() {
        turn.await??;
    }
    Ok(size.jobs as f64 / start.elapsed().as_secs_f64())
}

async fn round_of(server: &Postgres, size: Size, shape: Shape, round: u64) -> Outcome<f64> {
    let store = filled(server, &format!("{shape:?}_{round}").to_lowercase(), size.jobs + 200).await?;
    drain(&store, size, shape, 0).await
}

/// A store with jobs that are ready.
async fn filled(server: &Postgres, schema: &str, jobs: u64) -> Outcome<Arc<PostgresStore>> {
    let store = Arc::new(PostgresStore::open(Options::new(server.url()).schema(schema)).await?);
    let mut queue = Queue::of(0);
    for _ in 0..jobs / 100 {
        let creates = (0..100).map(|_| {
            let (store, call) = (Arc::clone(&store), unlimited(queue.create()));
            tokio::spawn(async move { store.execute(call).await })
        });
        for create in creates.collect::<Vec<_>>() {
            create.await??;
        }
    }
    connect(server).await?.batch_execute(&format!("ANALYZE {schema}.jobs, {schema}.specs")).await?;
    Ok(store)
}

/// The same create for one executor and without limits on how many.
fn unlimited(call: Call) -> Call {
    let Command::Create(create) = call.command else { return call };
    let spec = Arc::new(Spec { executor: "aider".into(), ..(*create.spec).clone() });
    Call { command: Command::Create(Box::new(Create { spec, limits: None, ..*create })), ..call }
}

async fn drain(store: &Arc<PostgresStore>, size: Size, shape: Shape, epoch: u64) -> Outcome<f64> {
    let start = instant();
    let turns = (0..size.workers).map(|worker| {
        let store = Arc::clone(store);
        let mut worker = Worker { store, process: worker, claims: epoch * 1_000_000 };
        let each = size.jobs / size.workers;
        tokio::spawn(async move {
            match shape {
                Shape::Single => worker.single(each).await,
                Shape::Fused => worker.fused(each).await,
                Shape::Batch => worker.batch(each).await,
            }
        })
    });
    for turn in turns.collect::<Vec<_>>() {
        turn.await??;
    }
    Ok(size.jobs as f64 / start.elapsed().as_secs_f64())
}

/// The throughput before, and after 10,000 jobs were drained while somebody keeps a snapshot of the time before.
async fn under_snapshot(server: &Postgres, size: Size) -> Outcome<(f64, f64)> {
    let part = Size { jobs: 2_000, ..size };
    let store = filled(server, "snapshot", 14_500).await?;
    let before = drain(&store, part, Shape::Single, 0).await?;
    let keeper = connect(server).await?;
    keeper.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM snapshot.jobs").await?;
    drain(&store, Size { jobs: 10_000, ..size }, Shape::Single, 1).await?;
    let after = drain(&store, part, Shape::Single, 2).await?;
    Ok((before, after))
}

struct Worker {
    store: Arc<PostgresStore>,
    process: u64,
    claims: u64,
}

impl Worker {
    async fn single(&mut self, jobs: u64) -> Outcome<()> {
        for _ in 0..jobs {
            let claim = self.claim();
            let Reply::Claimed(Claimed::Granted(grant)) = self.ask(Command::Claim(Box::new(claim))).await?
            else {
                return Err("the queue ran dry".into());
            };
            self.ask(Command::Operate(Box::new(complete(&grant)))).await?;
        }
        Ok(())
    }

    async fn fused(&mut self, jobs: u64) -> Outcome<()> {
        let first = Command::Claim(Box::new(self.claim()));
        let Reply::Claimed(Claimed::Granted(mut grant)) = self.ask(first).await? else {
            return Err("the queue ran dry".into());
        };
        for _ in 0..jobs {
            let both = SettleAndClaim { settle: complete(&grant), claim: self.claim() };
            let reply = self.ask(Command::SettleAndClaim(Box::new(both))).await?;
            let Reply::SettledAndClaimed { claimed: Claimed::Granted(next), .. } = reply else {
                return Err("the queue ran dry".into());
            };
            grant = next;
        }
        Ok(())
    }

    async fn batch(&mut self, jobs: u64) -> Outcome<()> {
        for _ in 0..jobs / 10 {
            let claim = self.claim();
            let more = (1..10).filter_map(|nth| LeaseToken::new(&format!("{}-{nth}", claim.token.reveal())));
            let many = ClaimMany { more: more.collect(), claim };
            let Reply::ClaimedMany(ClaimedMany::Granted(grants)) =
                self.ask(Command::ClaimMany(Box::new(many))).await?
            else {
                return Err("a claim of several jobs was overtaken".into());
            };
            if grants.len() < 10 {
                return Err("the queue ran dry".into());
            }
            self.ask(Command::OperateMany(grants.iter().map(complete).collect())).await?;
        }
        Ok(())
    }

    async fn ask(&self, command: Command) -> Outcome<Reply> {
        Ok(self.store.execute(Call { stamp: Stamp::Store(Floor::Held), command }).await?)
    }

    /// A claim as the hardened rules make it.
    fn claim(&mut self) -> Claim {
        self.claims += 1;
        let number = self.claims;
        Claim {
            worker: format!("w{}", self.process).into(),
            incarnation: Some(Incarnation(self.process)),
            number: Some(number),
            remember: Span::from_ms(600_000),
            take_over: Some((2, LOSE)),
            ask_switch: true,
            held_max: None,
            executors: ["aider".into()].into(),
            token: LeaseToken::new(&format!("t{}-{number}", self.process)).expect("a safe identifier"),
            lease: Span::from_ms(60_000),
            charge: Charge::AtStart,
            leftovers: Leftovers::Cleared,
        }
    }
}

const LOSE: Lose = Lose {
    requeue: Requeue::BackOff,
    charge: Charge::AtStart,
    back_off: Span::from_ms(1_000),
    back_off_max: Span::from_ms(60_000),
    unstarted_max: 3,
    grace: Span::from_ms(1_000),
};

/// The completion of a job by its holder. It need not have been started: the baseline knows no start.
fn complete(grant: &Grant) -> Operate {
    let lease = grant.record.lease.as_ref().expect("a job that was granted has a lease");
    let guards = Guards::default()
        .then(Guard::Replay(Identity::Attempt))
        .then(Guard::Holder(Identity::Attempt))
        .then(Guard::Unexpired)
        .then(Guard::Status(StatusSet::HELD));
    let result = serde_json::json!({ "outcome": "ok" });
    Operate {
        job: grant.record.id().clone(),
        holder: Holder {
            token: lease.token.clone(),
            attempt: Some(lease.attempt),
            incarnation: lease.incarnation,
        },
        guards,
        change: Change::Complete {
            result: Arc::new(JobResult::read(Some(&result)).expect("a result")),
            leftovers: Leftovers::Cleared,
        },
        announces: false,
    }
}
