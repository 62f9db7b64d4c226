use crate::calls;
use crate::queue::{Queue, connect};
use holdover_jobs::{Created, Order, Reply};
use holdover_servers::{AppendFsync, Redis};
use holdover_store::{Store, StoreError};
use holdover_store_redis::{Durability, OpenError, RedisOptions, RedisStore};
use redis::cmd;
use std::time::Duration;

/// Goal: a wrong option is one line that says what would be right, and does not repeat a password.
#[tokio::test]
async fn what_is_wrong_with_an_option() {
    let server = Redis::start(AppendFsync::Always).expect("Redis is installed");
    let url = server.url();
    RedisStore::open(RedisOptions::new(&*url).prefix("p")).await.expect("a new store");
    for (options, wanted) in [
        (RedisOptions::new("http://:secret@host/"), "the URL is not that of a Redis server"),
        (RedisOptions::new(&*url).prefix("a*"), "the prefix \"a*\" should be 1 to 64 of"),
        (RedisOptions::new(&*url).prefix(""), "the prefix \"\" should be"),
        (
            RedisOptions::new(&*url).prefix("p").order(Order::Created),
            "the form \"1 fifo\", not \"1 created\"",
        ),
        (RedisOptions::new("redis://:wrong@127.0.0.1:1/"), "the Redis server cannot be used"),
        (RedisOptions::new(url.replace(server.password(), "wrong")), "the Redis server cannot be used"),
    ] {
        let error: OpenError = RedisStore::open(options).await.expect_err(wanted);
        let said = error.to_string();
        assert!(said.contains(wanted) && !said.contains("secret") && !said.contains('\n'), "{said}");
    }
}

/// Goal: how durable the server is, is read when a connection is made, and said.
#[tokio::test]
async fn durability_is_said() {
    for (fsync, durability, said) in [
        (AppendFsync::Always, Durability::Always, "appendfsync always"),
        (AppendFsync::EverySecond, Durability::EverySecond, "appendfsync everysec"),
    ] {
        let queue = Queue::start(fsync).await;
        assert_eq!(queue.store.durability().await, durability);
        let described = queue.store.describe().await;
        assert!(described.starts_with("Redis ") && described.contains(said), "{described}");
    }
}

/// Goal: a server that is not there, is full or is a replica certainly carries nothing out; one that has taken a call
/// and does not answer may have.
#[tokio::test]
async fn what_is_known_of_a_call() {
    let mut queue = Queue::start(AppendFsync::Always).await;
    let mut connection = queue.connect().await;
    let set = async |connection: &mut _, name: &str, value: &str| {
        cmd("CONFIG").arg("SET").arg(name).arg(value).exec_async(connection).await.expect("a setting");
    };
    queue.create(0..1).await.expect("the server serves");
    set(&mut connection, "maxmemory", "1").await;
    let full = queue.store.execute(calls::create(1)).await;
    assert!(matches!(full, Err(StoreError::Failed(_))), "{full:?}");
    set(&mut connection, "maxmemory", "0").await;
    cmd("REPLICAOF").arg("127.0.0.1").arg(1).exec_async(&mut connection).await.expect("it serves");
    let replica = queue.store.execute(calls::create(1)).await;
    assert!(matches!(replica, Err(StoreError::Failed(_))), "{replica:?}");
    cmd("REPLICAOF").arg("NO").arg("ONE").exec_async(&mut connection).await.expect("it serves");
    assert_eq!(queue.found().await, (vec![0], 0));

    let mut options = RedisOptions::new(queue.server.url());
    options.answer_within = Duration::from_millis(200);
    let store = RedisStore::open(options).await.expect("the server serves");
    cmd("CLIENT").arg("PAUSE").arg(60_000).exec_async(&mut connection).await.expect("it serves");
    let silent = store.execute(calls::create(1)).await;
    assert!(matches!(silent, Err(StoreError::Unknown(_))), "{silent:?}");
    queue.server.kill9().expect("a process of ours");
    // What was lost unnoticed, if anything, is noticed by the first call.
    let _ = queue.store.execute(calls::create(1)).await;
    let gone = queue.store.execute(calls::create(1)).await;
    assert!(matches!(gone, Err(StoreError::Failed(_))), "{gone:?}");
}

/// Goal: a server that was started anew has no scripts, and is given them.
#[tokio::test]
async fn scripts_are_loaded_again() {
    let queue = Queue::start(AppendFsync::Always).await;
    queue.create(0..1).await.expect("the server serves");
    cmd("SCRIPT").arg("FLUSH").exec_async(&mut connect(&queue.server).await).await.expect("it serves");
    let reply = queue.ask(calls::create(1)).await;
    assert!(matches!(reply, Reply::Created(Created::New(_))), "{reply:?}");
}

/// Goal: a reset leaves nothing of the store, and everything else.
#[tokio::test]
async fn reset_is_of_one_prefix() {
    let queue = Queue::start(AppendFsync::Always).await;
    let other = RedisOptions::new(queue.server.url()).prefix("holdover2");
    let other = RedisStore::open(other).await.expect("the server serves");
    other.execute(calls::create(7)).await.expect("the server serves");
    queue.create(0..3).await.expect("the server serves");
    queue.store.reset().await.expect("the server serves");
    assert_eq!(queue.found().await, (vec![], 0));
    assert_eq!(other.all_records().await.expect("the server serves").len(), 1);
    queue.create(0..1).await.expect("the server serves");
    assert_eq!(queue.found().await, (vec![0], 0));
}
