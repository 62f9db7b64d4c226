//! Calls that are cut off at every boundary.

use holdover_live::{Clock, Interrupted, Proxy, interrupt};
use holdover_machine::StoreTime;
use holdover_servers::{AppendFsync, Redis};
use holdover_store_redis::{RedisOptions, RedisStore};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, atomic::Ordering};

struct Server {
    redis: Redis,
    proxy: SocketAddr,
}

impl Server {
    async fn open(&self, url: String, clock: &Clock) -> Result<RedisStore, String> {
        let mut options = RedisOptions::new(url);
        let clock = Arc::clone(clock);
        options.clock = Some(Arc::new(move || StoreTime::from_ms(clock.load(Ordering::Relaxed))));
        RedisStore::open(options).await.map_err(|error| error.to_string())
    }
}

impl Interrupted for Server {
    type Store = RedisStore;

    async fn emptied(&self, clock: &Clock) -> Result<RedisStore, String> {
        let store = self.open(self.redis.url(), clock).await?;
        store.reset().await.map_err(|error| error.to_string())?;
        Ok(store)
    }

    async fn by_proxy(&self, clock: &Clock) -> Result<RedisStore, String> {
        let direct = format!("127.0.0.1:{}", self.redis.port());
        self.open(self.redis.url().replace(&direct, &self.proxy.to_string()), clock).await
    }
}

/// Goal: whichever piece of a call is the last to arrive, what is stored goes with what the caller was told, and the
/// same call made again is answered as it must be. A call is one script, so it is mostly not known.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_goes_with_what_was_told() {
    let redis = Redis::start(AppendFsync::EverySecond).expect("Redis is installed");
    let proxy = Proxy::start((Ipv4Addr::LOCALHOST, redis.port()).into()).await.expect("a free port");
    let server = Server { redis, proxy: proxy.address() };
    let all = interrupt(&server, &proxy).await.expect("a store that works in peace");
    assert_eq!(all.findings, Vec::<String>::new());
    assert!(all.count() > 40 && all.unknown() > 30, "{all}");
}
