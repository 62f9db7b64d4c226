use crate::client::look_after;
use crate::fault::{WALL_OFFSET, quick};
use crate::labour::Labour;
use crate::plan::{NODES, Plan};
use crate::tape::Tape;
use crate::watched_store::WatchedStore;
use holdover_jobs::Policy;
use holdover_jobs::rules::Belief;
use holdover_jobs::worker::WorkerSettings;
use holdover_machine::{OwnTime, Span, Timestamp};
use holdover_sim::jobs::{Promise, Tasks};
use holdover_sim_node::{
    Client, Clock, JobService, Pace, Patience, RemoteStore, StoreNode, SystemClock, run_worker, serve, sweep,
};
use madsim::net::NetSim;
use madsim::runtime::{Handle, NodeHandle};
use madsim::task::NodeId;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

const STORE: &str = "10.0.0.1:7000";
const SERVICES: [&str; 2] = ["10.0.0.2:7000", "10.0.0.3:7000"];
const NAMES: [&str; NODES] =
    ["store", "service-0", "service-1", "sweeper-0", "worker-0", "worker-1", "worker-2", "clients"];

/// The nodes of a run.
pub(crate) struct Cluster(Vec<NodeHandle>);

/// What the nodes are made of.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) seed: u64,
    pub(crate) policy: Arc<Policy>,
    pub(crate) promise: Arc<Promise>,
    pub(crate) tasks: Arc<Tasks>,
    pub(crate) plan: Arc<Plan>,
    pub(crate) store: WatchedStore,
    pub(crate) tape: Arc<Tape>,
}

impl Cluster {
    /// Starts every node.
    pub(crate) fn start(setup: &Setup) -> Self {
        NetSim::current().update_config(|config| config.send_latency = quick());
        Self((0..NODES).map(|place| start(place, setup.clone())).collect())
    }

    pub(crate) fn id(&self, place: usize) -> NodeId {
        self.0[place].id()
    }

    pub(crate) fn name(&self, place: usize) -> String {
        NAMES.get(place).unwrap_or(&"network").to_string()
    }

    /// Ends every node. The tasks of a runtime that is dropped with tasks asleep are never freed.
    pub(crate) async fn stop(&self) {
        self.0.iter().for_each(|node| Handle::current().kill(node.id()));
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

fn start(place: usize, setup: Setup) -> NodeHandle {
    let address = IpAddr::V4(Ipv4Addr::new(10, 0, 0, place as u8 + 1));
    let handle = Handle::current();
    let builder = handle.create_node().name(NAMES[place]).ip(address);
    match place {
        0 => builder.init(move || run_store(setup.clone())),
        1 | 2 => builder.init(move || run_service(setup.clone(), place)),
        3 => builder.init(move || run_sweeper(setup.clone(), place)),
        4..=6 => builder.init(move || run_one_worker(setup.clone(), place)),
        _ => builder.init(move || run_clients(setup.clone())),
    }
    .build()
}

async fn listen(address: &str) -> TcpListener {
    TcpListener::bind(address).await.expect("a node that starts finds its address free")
}

async fn run_store(setup: Setup) {
    serve(listen(STORE).await, Arc::new(StoreNode(setup.store))).await;
}

fn service(setup: &Setup, place: usize) -> Arc<JobService<RemoteStore>> {
    let store = RemoteStore::new(STORE, Duration::from_millis(1_500));
    Arc::new(JobService::new(Arc::clone(&setup.policy), store, clock(setup, place)))
}

async fn run_service(setup: Setup, place: usize) {
    serve(listen(SERVICES[place - 1]).await, service(&setup, place)).await;
}

async fn run_sweeper(setup: Setup, place: usize) {
    sweep(service(&setup, place), Duration::from_millis(2_000), 10).await;
}

fn run_one_worker(setup: Setup, place: usize) -> impl Future<Output = ()> {
    let executors: &[&str] = if place == 5 { &["aider"] } else { &["aider", "goosed"] };
    let rules = &setup.policy.rules;
    let settings = WorkerSettings {
        worker: NAMES[place].into(),
        executors: executors.iter().map(|&executor| executor.into()).collect(),
        slots: 1,
        lease: setup.promise.lease,
        claim_retry: setup.promise.claim_retry,
        margin: if rules.belief == Belief::Echo { setup.promise.margin() } else { Span::ZERO },
        belief: rules.belief,
        fence: rules.fence,
    };
    let pace = Pace { poll: Span::from_ms(1_000), repeat: Span::from_ms(400) };
    let labour = Labour { seed: setup.seed, most_ms: setup.plan.work_ms, tape: Arc::clone(&setup.tape) };
    run_worker(settings, pace, client(&setup), clock(&setup, place), Arc::new(labour))
}

async fn run_clients(setup: Setup) {
    let client = client(&setup);
    for (job, &plan) in (0..).zip(&setup.plan.jobs) {
        tokio::spawn(look_after(Arc::clone(&client), Arc::clone(&setup.tasks), job, plan));
    }
    std::future::pending().await
}

fn client(setup: &Setup) -> Arc<Client> {
    let patience = Patience {
        attempt: Duration::from_millis(2_500),
        pause: Duration::from_millis(300),
        deadline: Duration::from_secs(60),
    };
    Arc::new(Client::new(SERVICES, patience).watched(Arc::clone(&setup.tape) as _))
}

fn clock(setup: &Setup, place: usize) -> Arc<dyn Clock> {
    let offset = Span::from_ms(setup.plan.offsets[place]);
    if offset != Span::ZERO {
        setup.tape.notes().observer.fault(WALL_OFFSET);
    }
    Arc::new(OffsetClock { clock: SystemClock::start(), offset })
}

/// A wall clock that is off.
struct OffsetClock {
    clock: SystemClock,
    offset: Span,
}

impl Clock for OffsetClock {
    fn now(&self) -> Timestamp {
        self.clock.now() + self.offset
    }

    fn own(&self) -> OwnTime {
        self.clock.own()
    }
}
