use crate::calls;
use holdover_jobs::{Call, Reply, Status};
use holdover_servers::{AppendFsync, Redis};
use holdover_store::{Store, StoreError};
use holdover_store_redis::{RedisOptions, RedisStore};
use redis::aio::MultiplexedConnection;
use redis::{Client, InfoDict, cmd};
use std::collections::BTreeMap;

/// A server, a store on it, and a connection beside it.
pub(crate) struct Queue {
    pub(crate) server: Redis,
    pub(crate) store: RedisStore,
}

impl Queue {
    pub(crate) async fn start(fsync: AppendFsync) -> Self {
        let server = Redis::start(fsync).expect("Redis is installed");
        let store = RedisStore::open(RedisOptions::new(server.url())).await.expect("the server serves");
        Self { server, store }
    }

    /// The reply to a call, which must be carried out.
    pub(crate) async fn ask(&self, call: Call) -> Reply {
        self.store.execute(call).await.expect("the server serves")
    }

    pub(crate) async fn connect(&self) -> MultiplexedConnection {
        connect(&self.server).await
    }

    /// Creates jobs until one is not acknowledged; how many were.
    pub(crate) async fn create(&self, numbers: std::ops::Range<u32>) -> Result<(), StoreError> {
        for number in numbers {
            self.store.execute(calls::create(number)).await?;
        }
        Ok(())
    }

    /// The creation numbers of the jobs that are there, and how many have ended.
    pub(crate) async fn found(&self) -> (Vec<u32>, usize) {
        let all = self.store.all_records().await.expect("the server serves");
        let ended = all.iter().filter(|(record, _)| record.status == Status::Succeeded).count();
        (all.iter().map(|(record, _)| record.number).collect(), ended)
    }
}

pub(crate) async fn connect(server: &Redis) -> MultiplexedConnection {
    let client = Client::open(server.url()).expect("a URL");
    client.get_multiplexed_async_connection().await.expect("the server serves")
}

/// How often the server has carried out each command since its counters were put back, those of scripts included.
pub(crate) async fn counted(connection: &mut MultiplexedConnection) -> BTreeMap<String, u64> {
    let stats: InfoDict = cmd("INFO").arg("commandstats").query_async(connection).await.expect("it serves");
    let calls = |text: &str| text.strip_prefix("calls=")?.split(',').next()?.parse().ok();
    let counted = stats.iter().filter_map(|(name, value)| {
        let text: String = redis::from_redis_value_ref(value).ok()?;
        Some((name.strip_prefix("cmdstat_")?.to_owned(), calls(&text)?))
    });
    counted.collect()
}

pub(crate) async fn count_anew(connection: &mut MultiplexedConnection) {
    cmd("CONFIG").arg("RESETSTAT").exec_async(connection).await.expect("the server serves");
}
