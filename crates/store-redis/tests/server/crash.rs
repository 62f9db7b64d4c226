use crate::calls::{self, granted};
use crate::queue::{Queue, connect};
use holdover_jobs::LeaseOperation;
use holdover_servers::{AppendFsync, Redis};
use holdover_store_redis::{RedisOptions, RedisStore};
use redis::aio::MultiplexedConnection;
use redis::{InfoDict, cmd};

/// Claims, starts and completes so many jobs, the first of which is claimed under this number.
async fn work(queue: &Queue, first: u64, jobs: u64) {
    for number in first..first + jobs {
        let grant = granted(queue.ask(calls::claim(number, &["aider"])).await);
        calls::applied(queue.ask(calls::operate(&grant.record, LeaseOperation::Start)).await);
        calls::applied(queue.ask(calls::complete(&grant.record)).await);
    }
}

/// What survives is the beginning of the history: no job without those created before it, none changed half.
async fn survivors(queue: &Queue) -> (usize, usize) {
    let (numbers, ended) = queue.found().await;
    assert!(numbers.iter().copied().eq(0..numbers.len() as u32), "{numbers:?}");
    for (record, events) in queue.store.all_records().await.expect("the server serves") {
        let wanted = record.attempts as usize * 3 + 1;
        assert_eq!(events.len(), wanted, "an attempt that ended is three events: {record:?}");
    }
    (numbers.len(), ended)
}

async fn set_fsync(connection: &mut MultiplexedConnection, value: &str) {
    let mut set = cmd("CONFIG");
    set.arg("SET").arg("appendfsync").arg(value).exec_async(connection).await.expect("a setting");
}

/// Goal: with `appendfsync always` a killed server has lost nothing that was answered, and the store goes on with it.
#[tokio::test]
async fn always_loses_nothing() {
    let mut queue = Queue::start(AppendFsync::Always).await;
    let (mut jobs, mut ended) = (0_u32, 0_u32);
    for round in 0..3 {
        queue.create(jobs..jobs + 20).await.expect("the server serves");
        work(&queue, 1 + u64::from(ended), 10).await;
        (jobs, ended) = (jobs + 20, ended + 10);
        queue.server.kill9().expect("a process of ours");
        queue.server.restart().expect("it reads its file");
        // The connection was lost, which a call may find out: reading leaves nothing unknown.
        let _ = queue.store.all_records().await;
        assert_eq!(survivors(&queue).await, (jobs as usize, ended as usize), "round {round}");
    }
}

/// Goal: with `appendfsync everysec` a killed server keeps what it had flushed, and loses nothing but the end of what
/// came later.
#[tokio::test]
async fn every_second_loses_the_end_only() {
    let mut queue = Queue::start(AppendFsync::EverySecond).await;
    queue.create(0..20).await.expect("the server serves");
    work(&queue, 1, 5).await;
    let mut connection = queue.connect().await;
    // A flush before an answer is a flush of all before it.
    set_fsync(&mut connection, "always").await;
    work(&queue, 6, 1).await;
    set_fsync(&mut connection, "everysec").await;
    queue.create(20..40).await.expect("the server serves");
    work(&queue, 7, 5).await;
    queue.server.kill9().expect("a process of ours");
    queue.server.restart().expect("it reads its file");
    let _ = queue.store.all_records().await;
    let (jobs, ended) = survivors(&queue).await;
    assert!((20..=40).contains(&jobs), "{jobs}");
    assert!((6..=11).contains(&ended) && (ended == 6 || jobs == 40), "{ended} of {jobs}");
}

/// Goal: a fail-over loses what the replica was not sent, although it was answered and flushed; the promise says so.
/// What is left is the beginning of the history.
#[tokio::test]
async fn a_fail_over_loses_the_end() {
    let mut queue = Queue::start(AppendFsync::Always).await;
    let replica = Redis::start(AppendFsync::Always).expect("Redis is installed");
    let mut beside = connect(&replica).await;
    let mut primary = cmd("CONFIG");
    primary.arg("SET").arg("masterauth").arg(queue.server.password());
    primary.exec_async(&mut beside).await.expect("a setting");
    let mut follow = cmd("REPLICAOF");
    follow.arg("127.0.0.1").arg(queue.server.port()).exec_async(&mut beside).await.expect("it serves");
    queue.create(0..10).await.expect("the server serves");
    work(&queue, 1, 3).await;
    caught_up(&queue, &mut beside).await;
    // From now on the replica is sent nothing.
    cmd("REPLICAOF").arg("NO").arg("ONE").exec_async(&mut beside).await.expect("it serves");
    queue.create(10..15).await.expect("the server serves");
    work(&queue, 4, 2).await;
    queue.server.kill9().expect("a process of ours");

    let store = RedisStore::open(RedisOptions::new(replica.url())).await.expect("the replica serves");
    let after = Queue { server: replica, store };
    assert_eq!(survivors(&after).await, (10, 3));
    // It goes on from there: the numbers that were lost are given again.
    after.create(10..12).await.expect("the replica serves");
    work(&after, 4, 1).await;
    assert_eq!(survivors(&after).await, (12, 4));
}

/// Waits until the replica has what the primary has.
async fn caught_up(queue: &Queue, replica: &mut MultiplexedConnection) {
    let mut primary = queue.connect().await;
    loop {
        let info = async |connection: &mut _, name: &str| {
            let mut ask = cmd("INFO");
            let told: InfoDict = ask.arg("replication").query_async(connection).await.expect("it serves");
            told.get::<String>(name)
        };
        let sent = info(&mut primary, "master_repl_offset").await;
        let received = info(&mut *replica, "slave_repl_offset").await;
        let up = info(&mut *replica, "master_link_status").await;
        if sent == received && up.as_deref() == Some("up") {
            return;
        }
        tokio::task::yield_now().await;
    }
}
