use crate::Verdict;
use crate::plan::Plan;
use crate::player::{Engine, Player, policy};
use holdover_jobs::{Policy, Table};
use holdover_machine::{OwnTime, StoreTime, Timestamp};
use holdover_node::{CallError, Client, Clock, JobService, Patience, RemoteStore, StoreNode, serve};
use holdover_store::MemoryStore;
use real_tokio::net::TcpListener;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// A clock that moves when the plan says so, so that no lease has to be waited for.
#[derive(Debug, Clone)]
struct SteppedClock(Arc<AtomicI64>);

impl SteppedClock {
    fn ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl Clock for SteppedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.ms())
    }

    fn own(&self) -> OwnTime {
        OwnTime::from_ms(self.ms())
    }
}

struct Real {
    client: Client,
    clock: SteppedClock,
}

impl Engine for Real {
    async fn ask(&self, operation: &str, arguments: &Value) -> Result<Value, String> {
        self.client.once(operation, arguments).await.map_err(|error| match error {
            CallError::Refused(refused) => refused.code,
            error => panic!("{error}"),
        })
    }

    async fn wait(&self, ms: i64) {
        self.clock.0.fetch_add(ms, Ordering::SeqCst);
    }

    fn now_ms(&self) -> i64 {
        self.clock.ms()
    }
}

/// Plays a plan over real sockets, with a store and a service behind ports of their own.
pub(crate) fn verdict(plan: &Plan, variant: &str) -> Verdict {
    let runtime = real_tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(run(plan, policy(variant)))
}

async fn run(plan: &Plan, policy: Arc<Policy>) -> Verdict {
    let begin = 1_000_000;
    let clock = SteppedClock(Arc::new(AtomicI64::new(begin)));
    let store_clock = clock.clone();
    let store_time = move || StoreTime::from_ms(store_clock.ms());
    let memory = Arc::new(MemoryStore::new(Table::new(policy.order()), store_time));
    let (store, listener) = listen().await;
    real_tokio::spawn(serve(listener, Arc::new(StoreNode(Arc::clone(&memory)))));
    let (service, listener) = listen().await;
    let second = Duration::from_secs(30);
    let remote = RemoteStore::new(store.to_string(), second);
    let jobs = JobService::new(Arc::clone(&policy), remote, Arc::new(clock.clone()));
    real_tokio::spawn(serve(listener, Arc::new(jobs)));
    let patience = Patience { attempt: second, pause: second, deadline: second };
    let client = Client::new([service.to_string()], patience);
    let mut player = Player::new(&policy, Real { client, clock });
    player.play(plan).await;
    player.verdict(&memory.inspect(Table::clone), begin)
}

async fn listen() -> (SocketAddr, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
    (listener.local_addr().expect("bound"), listener)
}
