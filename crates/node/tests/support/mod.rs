//! A deployment on loopback: a store node, two services, clients, workers.

use holdover_jobs::rules::Belief;
use holdover_jobs::worker::WorkerSettings;
use holdover_jobs::{JobError, JobResult, Policy, Registry, Rules, Settings, Table};
use holdover_machine::Span;
use holdover_node::{
    Client, Failure, JobService, Pace, Patience, RemoteStore, StoreNode, SystemClock, Task, Touch, Work,
    read_frame, run_worker, serve, write_frame,
};
use holdover_store::MemoryStore;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Deployment {
    pub(crate) store: SocketAddr,
    pub(crate) services: Vec<SocketAddr>,
    policy: Arc<Policy>,
}

/// An address that was free a moment ago, and its listener; dropping that leaves an address where nobody listens.
pub(crate) async fn listen() -> (SocketAddr, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
    (listener.local_addr().expect("bound"), listener)
}

/// Long enough for a busy machine; no test waits for it unless something is wrong.
pub(crate) fn patience() -> Patience {
    Patience {
        attempt: Duration::from_secs(20),
        pause: Duration::from_millis(1),
        deadline: Duration::from_secs(20),
    }
}

pub(crate) fn create(job: &str) -> Value {
    json!({ "input": {
        "jobId": job, "idempotencyKey": job, "executor": "aider",
        "task": { "instruction": job, "workspaceRef": { "id": "w" } },
        "authorization": { "executionAllowed": true }, "policy": { "sideEffectsAllowed": true },
    } })
}

impl Deployment {
    pub(crate) async fn start(variant: &str) -> Self {
        let settings = Settings {
            execution_enabled: true,
            registry: Arc::new(Registry::worker_queue(["aider"])),
            back_off: Span::from_ms(1),
            ..Settings::default()
        };
        let policy = Arc::new(Policy { rules: Rules::named(variant).expect("a variant"), settings });
        let (store, listener) = listen().await;
        let memory = MemoryStore::new(Table::new(policy.order()), SystemClock::store_time);
        tokio::spawn(serve(listener, Arc::new(StoreNode(memory))));
        let mut services = Vec::new();
        for _ in 0..2 {
            let (service, listener) = listen().await;
            let remote = RemoteStore::new(store.to_string(), Duration::from_secs(20));
            let clock = Arc::new(SystemClock::start());
            tokio::spawn(serve(listener, Arc::new(JobService::new(Arc::clone(&policy), remote, clock))));
            services.push(service);
        }
        Self { store, services, policy }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.services.iter().map(SocketAddr::to_string), patience())
    }

    pub(crate) fn run_worker(&self, worker: &str) -> Arc<Quick> {
        let work = Arc::new(Quick::default());
        let settings = WorkerSettings {
            worker: worker.into(),
            executors: Arc::new(["aider".into()]),
            slots: 1,
            lease: Span::from_ms(60_000),
            claim_retry: Span::from_ms(60_000),
            margin: if self.policy.rules.belief == Belief::Echo { Span::from_ms(1_000) } else { Span::ZERO },
            belief: self.policy.rules.belief,
            fence: self.policy.rules.fence,
        };
        let pace = Pace { poll: Span::from_ms(10), repeat: Span::from_ms(10) };
        let clock = Arc::new(SystemClock::start());
        tokio::spawn(run_worker(settings, pace, Arc::new(self.client()), clock, Arc::clone(&work)));
        work
    }

    pub(crate) async fn until_ended(&self, job: &str) -> Value {
        let client = self.client();
        loop {
            let job = client.call("getJob", &json!({ "jobId": job })).await.expect("it is there");
            if !job["completedAt"].is_null() {
                return job;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Work that is done at once: tells of its progress, touches the resource, and fails once where the job says so.
#[derive(Debug, Default)]
pub(crate) struct Quick(Mutex<Vec<Touch>>);

impl Quick {
    pub(crate) fn touched(&self) -> Vec<Touch> {
        self.0.lock().expect("no panic").clone()
    }
}

impl Work for Quick {
    async fn run(&self, task: Task) -> Result<JobResult, Failure> {
        task.progress("executor_job_half", json!({ "done": 0.5 }));
        task.touch();
        if task.detail["request"]["task"]["instruction"] == "fails-once" && task.attempt == 1 {
            let error = JobError::read(Some(&json!({ "message": "not yet", "retryable": true })));
            return Err(Failure { error: error.expect("an error"), delay: Span::from_ms(1) });
        }
        let result = json!({ "summary": format!("done by attempt {}", task.attempt) });
        Ok(JobResult::read(Some(&result)).expect("a result"))
    }

    fn touch(&self, touch: Touch) {
        self.0.lock().expect("no panic").push(touch);
    }
}

/// A server that reads requests and closes the connection instead of answering, the first `closes` times; it passes
/// all of them on to the service behind it.
pub(crate) async fn close_after_requests(closes: usize, behind: Option<SocketAddr>) -> SocketAddr {
    let (address, listener) = listen().await;
    let closed = Arc::new(AtomicUsize::new(0));
    tokio::spawn(async move {
        loop {
            let Ok((mut stream, _)) = listener.accept().await else { return };
            let closed = Arc::clone(&closed);
            tokio::spawn(async move {
                while let Ok(Some(frame)) = read_frame(&mut stream).await {
                    let answer = match behind {
                        Some(behind) => pass_on(behind, &frame).await,
                        None => Vec::new(),
                    };
                    if closed.fetch_add(1, Ordering::Relaxed) < closes {
                        return;
                    }
                    write_frame(&mut stream, &answer).await.expect("it is waited for");
                }
            });
        }
    });
    address
}

async fn pass_on(behind: SocketAddr, frame: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(behind).await.expect("it listens");
    write_frame(&mut stream, frame).await.expect("sent");
    read_frame(&mut stream).await.expect("answered").expect("a frame")
}
