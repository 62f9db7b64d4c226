use crate::Verdict;
use crate::plan::Plan;
use crate::player::{Engine, Player, policy};
use holdover_jobs::{Policy, Table};
use holdover_sim_node::{
    CallError, Client, JobService, Patience, RemoteStore, StoreNode, SystemClock, serve,
};
use holdover_store::MemoryStore;
use madsim::runtime::{Handle, Runtime};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

struct Simulated(Client);

impl Engine for Simulated {
    async fn ask(&self, operation: &str, arguments: &Value) -> Result<Value, String> {
        self.0.once(operation, arguments).await.map_err(|error| match error {
            CallError::Refused(refused) => refused.code,
            error => panic!("{error}"),
        })
    }

    async fn wait(&self, ms: i64) {
        tokio::time::sleep(Duration::from_millis(ms.unsigned_abs())).await;
    }

    fn now_ms(&self) -> i64 {
        SystemClock::store_time().ms()
    }
}

/// Plays a plan on simulated time, with a store, a service and the player on nodes of their own.
pub(crate) fn verdict(plan: &Plan, variant: &str) -> Verdict {
    let policy = policy(variant);
    let play = || Runtime::with_seed_and_config(1, madsim::Config::default()).block_on(run(plan, policy));
    std::thread::scope(|scope| scope.spawn(play).join().expect("no panic"))
}

async fn run(plan: &Plan, policy: Arc<Policy>) -> Verdict {
    let memory = Arc::new(MemoryStore::new(Table::new(policy.order()), SystemClock::store_time));
    let begin = SystemClock::store_time().ms();
    let (store, service_policy) = (Arc::clone(&memory), Arc::clone(&policy));
    let handle = Handle::current();
    let node =
        |name: &str, ip: &str| handle.create_node().name(name).ip(ip.parse().expect("an address")).build();
    let nodes = [node("store", "10.0.0.1"), node("service", "10.0.0.2"), node("player", "10.0.0.3")];
    nodes[0].spawn(async move {
        let listener = TcpListener::bind("10.0.0.1:7000").await.expect("a free address");
        serve(listener, Arc::new(StoreNode(store))).await;
    });
    nodes[1].spawn(async move {
        let listener = TcpListener::bind("10.0.0.2:7000").await.expect("a free address");
        let store = RemoteStore::new("10.0.0.1:7000", Duration::from_secs(5));
        let service = JobService::new(service_policy, store, Arc::new(SystemClock::start()));
        serve(listener, Arc::new(service)).await;
    });
    tokio::time::sleep(Duration::from_millis(10)).await;
    let second = Duration::from_secs(9);
    let patience = Patience { attempt: second, pause: second, deadline: second };
    let plan = plan.clone();
    let play = async move {
        let mut player = Player::new(&policy, Simulated(Client::new(["10.0.0.2:7000"], patience)));
        player.play(&plan).await;
        player
    };
    let player = nodes[2].spawn(play).await.expect("it plays to the end");
    let table = memory.inspect(Table::clone);
    nodes.iter().for_each(|node| handle.kill(node.id()));
    player.verdict(&table, begin)
}
