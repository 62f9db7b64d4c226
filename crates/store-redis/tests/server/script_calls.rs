use crate::calls::{self, LEASE, applied, granted};
use crate::queue::{Queue, count_anew, counted};
use holdover_jobs::{Call, ClaimedMany, LeaseOperation, Reply};
use holdover_servers::AppendFsync;
use redis::aio::MultiplexedConnection;

/// The reply to a call that the server must have carried out by so many scripts.
async fn ask(queue: &Queue, connection: &mut MultiplexedConnection, call: Call, scripts: u64) -> Reply {
    let what = format!("{:?}", call.command);
    count_anew(connection).await;
    let reply = queue.ask(call).await;
    let run = counted(connection).await.get("evalsha").copied().unwrap_or(0);
    assert_eq!(run, scripts, "scripts for {what}");
    reply
}

/// Goal: whatever goes the plain way is one script, a completion with the next claim and batches among it; a repeat is
/// found out by that script and then judged by reading. Of two executors the one is asked that has a job.
#[tokio::test]
async fn scripts_of_each_command() {
    let queue = Queue::start(AppendFsync::Always).await;
    let mut connection = queue.connect().await;
    let connection = &mut connection;
    // The server is given each script when it is first run.
    assert_eq!(queue.found().await, (vec![], 0));
    queue.ask(calls::create(0)).await;
    let warm = granted(queue.ask(calls::claim(1, &["aider"])).await);
    applied(queue.ask(calls::operate(&warm.record, LeaseOperation::Start)).await);
    for number in 1..30 {
        ask(&queue, connection, calls::create(number), 1).await;
    }
    let grant = granted(ask(&queue, connection, calls::claim(2, &["goosed", "aider"]), 1).await);
    let started = calls::operate(&grant.record, LeaseOperation::Start);
    let record = applied(ask(&queue, connection, started, 1).await);
    let renewed = calls::operate(&record, LeaseOperation::Heartbeat { lease: LEASE });
    let record = applied(ask(&queue, connection, renewed, 1).await);
    let grant = granted(ask(&queue, connection, calls::complete_and_claim(&record, 3), 1).await);
    applied(ask(&queue, connection, calls::fail(&grant.record), 1).await);
    let Reply::ClaimedMany(ClaimedMany::Granted(grants)) =
        ask(&queue, connection, calls::claim_many(4, 10), 1).await
    else {
        panic!("jobs are there")
    };
    assert_eq!(grants.len(), 10);
    let starts: Vec<_> = grants.iter().map(|grant| &grant.record).collect();
    let mut running = Vec::new();
    for record in starts {
        let start = calls::operate(record, LeaseOperation::Start);
        running.push(applied(ask(&queue, connection, start, 1).await));
    }
    ask(&queue, connection, calls::complete_many(running.iter().map(|record| &**record)), 1).await;
    let again = ask(&queue, connection, calls::complete(&running[0]), 3).await;
    assert!(matches!(again, Reply::Operated(_)), "{again:?}");
    // Nothing for another executor; that it was so is remembered.
    ask(&queue, connection, calls::claim(5, &["goosed"]), 1).await;
}
