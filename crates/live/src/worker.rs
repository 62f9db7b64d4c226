//! What one worker process does: it creates jobs, claims, starts, keeps and ends them, sweeps and cancels, and now and then
//! stalls with a job in its hands.

use crate::draws::Draws;
use crate::policy;
use crate::tape::{Tape, nanoseconds};
use holdover::history::Type;
use holdover_jobs::{Answer, Answered, Error, JobView, Standing};
use holdover_node::{JobService, SystemClock, draw_incarnation};
use holdover_store::Store;
use serde_json::{Value, json};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// So often something is asked again whose outcome nobody knows.
const REPEATS_MAX: u32 = 6;
/// How long a worker stalls at least: longer than a lease, and than it takes somebody else to get the job.
const STALL_MS: i64 = 5_200;
/// So many askers a worker process may need: one for each answer that did not come.
const ASKERS_MAX: u64 = 1 << 32;

/// A worker process.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Its number: no other process of the run has had it.
    pub number: u64,
    /// What it draws from.
    pub seed: u64,
    /// What it writes its history to.
    pub tape: PathBuf,
    /// Until when it makes new jobs, in milliseconds since 1970.
    pub creates_until_ms: i64,
    /// Until when it works, in milliseconds since 1970.
    pub works_until_ms: i64,
}

/// Works until its time is over.
///
/// # Errors
/// The history cannot be written: what is not written down cannot be judged.
pub async fn work<S: Store>(store: S, options: &WorkerOptions) -> io::Result<()> {
    let service = JobService::new(policy(), store, Arc::new(SystemClock::start()));
    let tape = Tape::open(&options.tape, options.number * ASKERS_MAX)?;
    let mut worker = Working {
        service,
        tape,
        draws: Draws::new(options.seed),
        number: options.number,
        incarnation: draw_incarnation().0,
        claims: 0,
        created: 0,
        stalled: Vec::new(),
    };
    while now_ms() < options.works_until_ms {
        worker.turn(now_ms() < options.creates_until_ms).await?;
    }
    Ok(())
}

fn now_ms() -> i64 {
    nanoseconds() / 1_000_000
}

struct Working<S> {
    service: JobService<S>,
    tape: Tape,
    draws: Draws,
    number: u64,
    incarnation: u64,
    claims: u64,
    created: u64,
    /// Jobs that it has lost sight of, and when it comes back to each.
    stalled: Vec<(Hand, i64)>,
}

/// A job in its hands.
struct Hand {
    job: String,
    token: String,
    attempt: u32,
}

impl<S: Store> Working<S> {
    async fn turn(&mut self, creates: bool) -> io::Result<()> {
        if let Some(due) = self.stalled.iter().position(|(_, at)| *at <= now_ms()) {
            let (hand, _) = self.stalled.swap_remove(due);
            return self.end(&hand).await;
        }
        match self.draws.below(100) {
            0..=19 if creates => self.create().await,
            35..=39 => self.recover().await,
            40..=42 => self.cancel().await,
            _ => match self.claim().await? {
                Some(hand) => self.serve(hand).await,
                None => {
                    sleep(Duration::from_millis(20)).await;
                    Ok(())
                }
            },
        }
    }

    /// Mostly a new job, at times one that it has made before.
    async fn create(&mut self) -> io::Result<()> {
        let number = match self.draws.percent(10) {
            true => self.draws.below(self.created + 1),
            false => {
                self.created += 1;
                self.created
            }
        };
        let job = format!("job-{}-{number}", self.number);
        let args = json!({ "input": {
            "jobId": job, "idempotencyKey": format!("key of {job}"), "executor": "aider",
            "instruction": "build", "task": { "workspaceRef": { "id": "w" } },
            "authorization": { "executionAllowed": true }, "policy": { "sideEffectsAllowed": true },
            "controls": { "maxAttempts": 5, "timeoutMs": 60_000, "cancellationAllowed": true },
        } });
        self.insist("create", "create", &args, &json!({ "job": job })).await.map(drop)
    }

    /// Takes one lease away that has run out.
    async fn recover(&mut self) -> io::Result<()> {
        self.ask("recover", "recoverExpired", &json!({ "limit": 1 }), &json!({})).await.map(drop)
    }

    /// Wants one of its own jobs no more.
    async fn cancel(&mut self) -> io::Result<()> {
        let job = format!("job-{}-{}", self.number, 1 + self.draws.below(self.created.max(1)));
        self.ask("cancel", "cancel", &json!({ "jobId": job }), &json!({ "job": job })).await.map(drop)
    }

    async fn claim(&mut self) -> io::Result<Option<Hand>> {
        self.claims += 1;
        let worker = format!("worker-{}", self.number);
        let args = json!({
            "workerId": worker, "executors": ["aider"], "incarnation": self.incarnation,
            "claimNumber": self.claims,
        });
        let answer = self.insist("claim", "claim", &args, &json!({ "worker": worker })).await?;
        Ok(match answer {
            Some(Answer::Claim(Some(view))) => Some(Hand {
                job: view.job.record.id().to_string(),
                token: view.token.reveal().to_owned(),
                attempt: view.standing.attempt,
            }),
            _ => None,
        })
    }

    /// Starts a job, keeps it for a while and ends it, or lets it be.
    async fn serve(&mut self, hand: Hand) -> io::Result<()> {
        if self.draws.percent(3) || self.operate(&hand, "start", json!({})).await?.is_none() {
            return Ok(());
        }
        for _ in 0..self.draws.below(3) {
            sleep(Duration::from_millis(self.draws.below(40))).await;
            self.operate(&hand, "heartbeat", json!({})).await?;
        }
        match self.draws.below(100) {
            // It forgets the job.
            0..=2 => Ok(()),
            // It stalls until the lease is over, and does not know.
            3..=9 => {
                let wakes = now_ms() + STALL_MS + self.draws.below(2_000) as i64;
                self.stalled.push((hand, wakes));
                Ok(())
            }
            _ => self.end(&hand).await,
        }
    }

    async fn end(&mut self, hand: &Hand) -> io::Result<()> {
        if self.draws.percent(50) {
            self.operate(hand, "heartbeat", json!({})).await?;
        }
        if self.draws.percent(15) {
            let error = json!({ "code": "E", "message": "no", "retryable": true });
            return self.operate(hand, "fail", json!({ "error": error })).await.map(drop);
        }
        self.operate(hand, "complete", json!({ "result": { "outcome": "done" } })).await.map(drop)
    }

    async fn operate(&mut self, hand: &Hand, operation: &str, mut args: Value) -> io::Result<Option<Answer>> {
        args["jobId"] = hand.job.as_str().into();
        args["leaseToken"] = hand.token.as_str().into();
        args["attempt"] = hand.attempt.into();
        args["incarnation"] = self.incarnation.into();
        let value = json!({ "job": hand.job, "attempt": hand.attempt });
        self.insist(operation, operation, &args, &value).await
    }

    /// Asks again while nobody knows whether it was carried out: every operation may be repeated.
    async fn insist(
        &mut self,
        f: &str,
        operation: &str,
        args: &Value,
        value: &Value,
    ) -> io::Result<Option<Answer>> {
        for _ in 0..REPEATS_MAX {
            match self.ask(f, operation, args, value).await? {
                Ok(answer) => return Ok(Some(answer)),
                Err(Error::OutcomeUnknown(_) | Error::StoreUnavailable(_)) => {
                    sleep(Duration::from_millis(20 + self.draws.below(60))).await;
                }
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    async fn ask(&mut self, f: &str, operation: &str, args: &Value, value: &Value) -> io::Result<Answered> {
        self.tape.asked(f, value)?;
        let answered = timeout(PATIENCE, self.service.call(operation, args)).await;
        let answered =
            answered.unwrap_or_else(|_| Err(Error::OutcomeUnknown("there was no answer in time".into())));
        match &answered {
            Ok(Answer::Job(None)) => self.tape.told(Type::Fail, f, value, Some("there is no such job"))?,
            Ok(answer) => self.tape.told(Type::Ok, f, &told(answer, value), None)?,
            Err(error) => {
                // A request of several calls that fails at a later one has carried out the earlier ones.
                let parts = f == "recover" && matches!(error, Error::StoreUnavailable(_));
                let unknown = parts || matches!(error, Error::OutcomeUnknown(_));
                let outcome = if unknown { Type::Info } else { Type::Fail };
                self.tape.told(outcome, f, value, Some(&error.to_string()))?;
            }
        }
        Ok(answered)
    }
}

/// What an answer tells of its job.
fn told(answer: &Answer, asked: &Value) -> Value {
    match answer {
        Answer::Created { created, job } => json!({ "job": job.record.id().as_str(), "created": created }),
        Answer::Claim(None) => asked.clone(),
        Answer::Claim(Some(view)) => leased(&view.job, &view.standing, asked),
        Answer::Lease { job, standing } => leased(job, standing, asked),
        Answer::Recovered { recovered, .. } => match recovered.first() {
            None => json!({}),
            Some(job) => json!({
                "job": job.record.id().as_str(), "over": job.record.status.is_final(),
                "attempt": job.record.past.last().map(|past| past.attempt),
            }),
        },
        Answer::Job(Some(job)) if job.record.status.is_final() => {
            json!({ "job": job.record.id().as_str(), "over": true })
        }
        _ => asked.clone(),
    }
}

fn leased(job: &JobView, standing: &Standing, asked: &Value) -> Value {
    let mut value = asked.clone();
    value["job"] = job.record.id().as_str().into();
    if value.get("attempt").is_none() {
        value["attempt"] = standing.attempt.into();
    }
    value["replayed"] = standing.replayed.into();
    match &job.record.lease {
        Some(_) => value["remaining_ms"] = standing.remaining.ms().into(),
        None => value["over"] = job.record.status.is_final().into(),
    }
    value
}
