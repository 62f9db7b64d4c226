//! The store on Redis held to the contract, with its shortcuts, on a throw-away server.

use holdover_conform::{ManualClock, Subject, store_conformance};
use holdover_jobs::Order;
use holdover_servers::{AppendFsync, Redis};
use holdover_store::StoreError;
use holdover_store_redis::{RedisOptions, RedisStore};
use std::sync::atomic::{AtomicU32, Ordering};

/// Each store is another prefix of one server.
struct OnRedis {
    server: Redis,
    opened: AtomicU32,
}

impl OnRedis {
    fn start() -> Self {
        let server = Redis::start(AppendFsync::EverySecond).expect("Redis is installed");
        Self { server, opened: AtomicU32::new(0) }
    }
}

impl Subject for OnRedis {
    type Store = RedisStore;

    async fn open(&self, order: Order, clock: ManualClock) -> Result<RedisStore, StoreError> {
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        let options = RedisOptions::new(self.server.url()).prefix(format!("store-{number}"));
        let store = RedisStore::open(options.order(order).clock(clock)).await;
        store.map_err(|error| StoreError::Failed(error.to_string()))
    }
}

store_conformance!(redis, OnRedis::start());
