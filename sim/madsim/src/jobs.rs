use crate::cluster::{Cluster, Setup};
use crate::fault;
use crate::judge::{judge, judge_ended};
use crate::plan::{FAULTS_MS, Plan};
use crate::tape::Tape;
use crate::watched_store::WatchedStore;
use holdover::history::operations;
use holdover::{AnyScenario, Catalogue, InvariantInfo, Observer, Planted, Run, Simulation, Violations};
use holdover_jobs::{Policy, Rules, Status, Table};
use holdover_sim::jobs::{Jobs, Promise, Tasks, settings};
use holdover_sim_node::SystemClock;
use holdover_store::MemoryStore;
use madsim::runtime::Runtime;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::time::sleep;

/// What is judged here, of what the world of the same name promises.
const RULES: [&str; 15] = [
    "single-owner",
    "fencing",
    "terminal-absorbing",
    "expired-is-over",
    "no-false-recovery",
    "no-lost-job",
    "idempotent-claim",
    "idempotent-settle",
    "attempts-bounded",
    "no-early-retry",
    "event-log-gapless",
    "event-log-truthful",
    "time-order",
    "stats-consistent",
    "no-secret",
];

/// The rules with their promises, in the order of the world's catalogue.
pub(crate) static INVARIANTS: LazyLock<Vec<InvariantInfo>> = LazyLock::new(|| {
    let known = AnyScenario::catalogue(&Jobs).invariants.iter().copied();
    known.filter(|info| RULES.contains(&info.id)).collect()
});

/// How long everything may take to end after the last fault, in milliseconds.
const CONVERGED_MS: i64 = 120_000;

/// The job protocol in its shells: a store node, two services, three workers, a sweeper and clients.
#[derive(Debug, Clone, Copy)]
pub struct MadsimJobs;

impl Simulation for MadsimJobs {
    fn id(&self) -> &'static str {
        "jobs"
    }

    fn engine(&self) -> &'static str {
        "madsim"
    }

    fn about(&self) -> &'static str {
        "the job protocol in its shells: a store node, two services, three workers, a sweeper and clients"
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue { faults: fault::NAMES, probes: &[], invariants: &INVARIANTS, transitions: &[] }
    }

    fn variants(&self) -> Vec<String> {
        AnyScenario::variants(&Jobs)
    }

    fn has_variant(&self, name: &str) -> bool {
        rules(name).is_some()
    }

    fn plan(&self, seed: u64) -> String {
        serde_json::to_string(&Plan::draw(seed)).expect("a plan names its members by text")
    }

    fn run(&self, variant: &str, seed: u64, observer: Observer) -> (Run, String) {
        let rules = rules(variant).expect("one of the variants");
        let runtime = Runtime::with_seed_and_config(seed, madsim::Config::default());
        runtime.block_on(simulate(rules, seed, observer))
    }
}

/// The rules of a variant. Of the planted bugs only those can be had here that are rules left out.
fn rules(variant: &str) -> Option<Rules> {
    match variant.strip_prefix(Planted::PREFIX) {
        Some(knobs) => Rules::named(&format!("hardened-without-{knobs}")),
        None => Rules::named(variant),
    }
}

async fn simulate(rules: Rules, seed: u64, observer: Observer) -> (Run, String) {
    let promise = Arc::new(Promise::campaign());
    let policy = Arc::new(Policy { rules, settings: settings(&promise) });
    let tape = Arc::new(Tape::new(observer));
    let table = Table::new(policy.order()).watched();
    let memory = Arc::new(MemoryStore::new(table, SystemClock::store_time));
    let setup = Setup {
        seed,
        policy,
        promise,
        tasks: Arc::new(Tasks::new(&rules)),
        plan: Arc::new(Plan::draw(seed)),
        store: WatchedStore { memory, tape: Arc::clone(&tape) },
        tape,
    };
    let cluster = Arc::new(Cluster::start(&setup));
    for &(begin, ms, fault) in &setup.plan.faults {
        let (cluster, tape) = (Arc::clone(&cluster), Arc::clone(&setup.tape));
        tokio::spawn(async move {
            sleep(Duration::from_millis(begin.unsigned_abs())).await;
            fault.happen(&cluster, &tape, ms.unsigned_abs()).await;
        });
    }
    converge(&setup).await;
    cluster.stop().await;
    finish(&setup)
}

/// Waits for the end of the faults and of all jobs, or of what may be waited for.
async fn converge(setup: &Setup) {
    sleep(Duration::from_millis(FAULTS_MS.1.unsigned_abs())).await;
    let open = |table: &Table| {
        table.records().any(|record| !record.status.is_final() && record.status != Status::Blocked)
    };
    while setup.tape.now_ms() < FAULTS_MS.1 + CONVERGED_MS && setup.store.memory.inspect(open) {
        sleep(Duration::from_millis(500)).await;
    }
}

fn finish(setup: &Setup) -> (Run, String) {
    let simulated_ms = setup.tape.now_ms();
    let mut notes = setup.tape.notes();
    let notes = &mut *notes;
    let asked = operations(&notes.history);
    let back_off = setup.promise.back_off;
    let now = SystemClock::store_time();
    setup.store.memory.inspect(|table| {
        judge(&asked, table, (setup.tape.begin(), now), back_off, &mut notes.report);
        judge_ended(table, &mut notes.report);
    });
    notes.count_rules();
    let mut violations = Violations::default();
    for violation in notes.report.violations.iter() {
        if let Some(info) = INVARIANTS.iter().find(|info| info.id == violation.invariant) {
            let mut violation = violation.clone();
            violation.class = info.class;
            violations.report(info.id, || violation);
        }
    }
    let lines: Vec<String> =
        notes.history.iter().filter_map(|event| serde_json::to_string(event).ok()).collect();
    let observer = std::mem::take(&mut notes.observer);
    (Run { seed: setup.seed, simulated_ms, violations, observer }, lines.join("\n"))
}
