//! What the claim of a long queue costs the server, in buffers.

use holdover_bench::Calls;
use holdover_jobs::{Claim, Claimed, Command, Reply};
use holdover_servers::Postgres;
use holdover_store::Store;
use holdover_store_postgres::PostgresStore;
use tokio_postgres::{Client, NoTls};

/// The most that the selection of a claim looks at, for one executor and for four.
const ONE_MAX: u64 = 25;
const FOUR_MAX: u64 = 45;

/// Puts jobs of this status into the store, from this number on; they are ready from 1970 on.
async fn fill(client: &Client, from: u32, jobs: u32, status: u32) {
    let sql = format!(
        "SET synchronous_commit = off;
         INSERT INTO holdover.jobs (number, revision, events, created_at, ready_at, updated_at, attempts, charged,
             unstarted, status, executor, collated)
         SELECT n, 0, 1, n, n, n, 0, 0, 0, {status}, '\"aider\"', '' FROM generate_series({from}, {from} + {jobs} - 1) AS n;
         ANALYZE holdover.jobs"
    );
    client.batch_execute(&sql).await.expect("rows");
}

fn claim(calls: &mut Calls) -> Claim {
    match calls.claim().command {
        Command::Claim(claim) => *claim,
        other => panic!("a claim, not {other:?}"),
    }
}

/// Goal: finding the job for a claim costs the same few buffers among a thousand ready jobs, among a million, and
/// beside a million that have ended; so does finding one for four executors, of which three or all have none. An index
/// of a million has one level more, which every look goes through: two for each executor.
#[tokio::test]
async fn a_claim_costs_the_same_however_many_jobs_there_are() {
    let server = Postgres::start().expect("PostgreSQL is installed");
    let store = PostgresStore::open(server.url()).await.expect("a server of ours");
    let (client, connection) = tokio_postgres::connect(&server.url(), NoTls).await.expect("a server of ours");
    tokio::spawn(connection);
    let mut one = Calls::of(1);
    let mut four = Calls::of(2).executors(4);
    // Each process has made a claim, which takes it in.
    for (number, calls) in (2_999_990..).zip([&mut one, &mut four]) {
        store.execute(Calls::create(number)).await.expect("a job");
        let reply = store.execute(calls.claim()).await;
        assert!(matches!(reply, Ok(Reply::Claimed(Claimed::Granted(_)))), "{reply:?}");
    }
    let mut none = claim(&mut four);
    none.executors = ["a".into(), "b".into(), "c".into(), "d".into()].into();
    let (one, four) = (claim(&mut one), claim(&mut four));
    let costs = async || {
        // The first look after many changes tidies up.
        store.claim_cost(&one).await.expect("a plan");
        let one = store.claim_cost(&one).await.expect("a plan");
        let four = store.claim_cost(&four).await.expect("a plan");
        [one, four, store.claim_cost(&none).await.expect("a plan")]
    };
    fill(&client, 10, 1_000, 1).await;
    let small = costs().await;
    println!("buffers of a claim for one executor, for four, for four of which none has a job: {small:?}");
    for (what, from, status) in [("a million are ready", 10_000, 1), ("a million have ended", 2_000_000, 5)] {
        fill(&client, from, 1_000_000, status).await;
        let large = costs().await;
        println!("{what}: {large:?}");
        for ((small, large), looks) in small.iter().zip(&large).zip([2, 8, 8]) {
            assert!(*large <= small + looks, "{what}: {large} buffers, and {small} among a thousand");
        }
        assert!(large[0] <= ONE_MAX && large[1] <= FOUR_MAX && large[2] <= FOUR_MAX, "{what}: {large:?}");
    }
}
