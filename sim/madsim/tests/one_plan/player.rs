use crate::Verdict;
use crate::plan::{Event, Plan};
use holdover::history::{HistoryEvent, HistoryReport, Type, operations};
use holdover_jobs::worker::{
    Act, Worker, WorkerAnswer, WorkerEffect, WorkerEvent, WorkerInput, WorkerSettings,
};
use holdover_jobs::{Incarnation, JobResult, LeaseToken, Policy, Rules, Table};
use holdover_machine::{Machine, OwnTime, Span, StoreTime, Timestamp};
use holdover_sim::jobs::{Deed, Promise, Tasks, Twist, settings};
use serde_json::{Value, json};
use std::sync::Arc;

/// What the player needs of an engine: a service to ask, and time.
pub(crate) trait Engine: Send + Sync {
    /// Asks the service once; a refusal by its code.
    fn ask(&self, operation: &str, arguments: &Value) -> impl Future<Output = Result<Value, String>> + Send;
    /// Lets time pass.
    fn wait(&self, ms: i64) -> impl Future<Output = ()> + Send;
    /// The time by the clock that all nodes share.
    fn now_ms(&self) -> i64;
}

pub(crate) fn policy(variant: &str) -> Arc<Policy> {
    let rules = Rules::named(variant).expect("a variant");
    Arc::new(Policy { rules, settings: settings(&Promise::campaign()) })
}

/// Plays a plan with the workers' own machines, and records what was asked and answered.
pub(crate) struct Player<E> {
    engine: E,
    workers: [Worker; 2],
    history: Vec<HistoryEvent>,
    report: HistoryReport,
    tasks: Tasks,
}

impl<E: Engine> Player<E> {
    pub(crate) fn new(policy: &Policy, engine: E) -> Self {
        let worker = |index: u64| {
            let settings = WorkerSettings {
                worker: format!("w{index}").into(),
                executors: Arc::new(["aider".into()]),
                slots: 1,
                lease: Promise::campaign().lease,
                claim_retry: Promise::campaign().claim_retry,
                margin: Span::ZERO,
                belief: policy.rules.belief,
                fence: policy.rules.fence,
            };
            Worker::new(Arc::new(settings), Incarnation(index + 1))
        };
        let (history, report) = (Vec::new(), HistoryReport::default());
        Self { engine, workers: [worker(0), worker(1)], history, report, tasks: Tasks::new(&policy.rules) }
    }

    pub(crate) async fn play(&mut self, plan: &Plan) {
        for event in &plan.0 {
            match *event {
                Event::Create { job } => {
                    let task = self.tasks.get(job, Twist::Plain).expect("a job of the world");
                    let mut input: Value = serde_json::from_str(&task.body).expect("JSON");
                    input["jobId"] = task.job.as_str().into();
                    input["idempotencyKey"] = (*task.key).into();
                    self.ask("create", &json!({ "input": input })).await.expect("created");
                }
                Event::Read { job } => self.read(job).await,
                Event::Claim { worker } => {
                    let token = LeaseToken::new("drawn-by-the-service").expect("a safe identifier");
                    self.tell(worker, WorkerEvent::Claim { slot: 0, token }).await;
                }
                Event::Act { worker, deed } => {
                    let act = match deed {
                        Deed::Start => Act::Start,
                        Deed::Heartbeat => Act::Heartbeat,
                        Deed::Complete => {
                            Act::Complete { result: Arc::new(JobResult::read(None).expect("empty")) }
                        }
                        deed => panic!("no plan has {deed:?}"),
                    };
                    self.tell(worker, WorkerEvent::Act { slot: 0, act, stalled: true }).await;
                }
                Event::Sweep {} => drop(self.ask("recoverExpired", &json!({ "limit": 10 })).await),
                Event::Wait { ms } => self.engine.wait(ms).await,
                // Between two of its acts a worker of a plan stands still anyway.
                Event::Pause { .. } | Event::Resume { .. } => {}
            }
        }
    }

    async fn read(&mut self, job: u8) {
        let id = self.tasks.get(job, Twist::Plain).expect("a job of the world").job.clone();
        let job = self.ask("getJob", &json!({ "jobId": id.as_str(), "includeRequest": true })).await;
        let shown = job.is_ok_and(|job| job.pointer("/lease/token").is_some());
        let seen = || ("a token was shown".to_owned(), vec![id.to_string()]);
        self.report.expect("no-secret", !shown, self.engine.now_ms(), seen);
    }

    async fn tell(&mut self, worker: u8, what: WorkerEvent) {
        let mut effects = self.handle(worker, what);
        while let Some(effect) = effects.pop() {
            let WorkerEffect::Send { call, slot, request } = effect else { continue };
            let (operation, arguments) = request.to_wire().expect("a worker's request");
            let answer = match self.ask(operation, &arguments).await {
                Ok(answer) => WorkerAnswer::read(operation, &answer),
                Err(code) => WorkerAnswer::refused(&code),
            };
            effects.extend(self.handle(worker, WorkerEvent::Answered { call, slot, request, answer }));
        }
    }

    fn handle(&mut self, worker: u8, what: WorkerEvent) -> Vec<WorkerEffect> {
        let now = self.engine.now_ms();
        let input = WorkerInput { own: OwnTime::from_ms(now), what };
        let mut effects = Vec::new();
        self.workers[usize::from(worker)].handle(Timestamp::from_ms(now), input, &mut effects);
        effects
    }

    async fn ask(&mut self, operation: &str, arguments: &Value) -> Result<Value, String> {
        let process = self.history.len() as u64;
        self.note(process, Type::Invoke, operation, arguments, &Value::Null);
        let outcome = self.engine.ask(operation, arguments).await;
        match &outcome {
            Ok(answer) => self.note(process, Type::Ok, operation, arguments, answer),
            Err(_) => self.note(process, Type::Fail, operation, arguments, &Value::Null),
        }
        outcome
    }

    fn note(&mut self, process: u64, kind: Type, f: &str, arguments: &Value, answer: &Value) {
        let either = |asked: &str, answered: &str| {
            arguments.get(asked).or_else(|| answer.pointer(answered)).cloned().unwrap_or_default()
        };
        let value = json!({
            "job": either("jobId", "/job/jobId"), "attempt": either("attempt", "/standing/attempt"),
            "worker": arguments.get("incarnation"), "name": arguments.get("workerId"),
            "number": arguments.get("claimNumber"), "remaining_ms": answer.pointer("/standing/remainingMs"),
            "replayed": answer.pointer("/standing/replayed"),
        });
        let (index, time) = (self.history.len() as u64, self.engine.now_ms() * 1_000_000);
        self.history.push(HistoryEvent { index, time, process, kind, f: f.to_owned(), value, error: None });
    }

    /// Judges what was recorded and what the store holds.
    pub(crate) fn verdict(mut self, table: &Table, begin_ms: i64) -> Verdict {
        let times = (StoreTime::from_ms(begin_ms), StoreTime::from_ms(self.engine.now_ms()));
        let back_off = Promise::campaign().back_off;
        holdover_sim_madsim::judge(&operations(&self.history), table, times, back_off, &mut self.report);
        self.report.violations.iter().map(|violation| violation.invariant.clone()).collect()
    }
}
