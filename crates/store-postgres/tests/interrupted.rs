//! Calls that are cut off at every boundary.

use holdover_live::{Clock, Interrupted, Proxy, interrupt};
use holdover_machine::StoreTime;
use holdover_servers::Postgres;
use holdover_store_postgres::{Options, PostgresStore};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, atomic::Ordering};

struct Server {
    postgres: Postgres,
    proxy: SocketAddr,
}

impl Server {
    async fn open(&self, url: String, clock: &Clock) -> Result<PostgresStore, String> {
        let clock = Arc::clone(clock);
        let options = Options::new(url).clock(move || StoreTime::from_ms(clock.load(Ordering::Relaxed)));
        PostgresStore::open(options).await.map_err(|error| error.to_string())
    }
}

impl Interrupted for Server {
    type Store = PostgresStore;

    async fn emptied(&self, clock: &Clock) -> Result<PostgresStore, String> {
        let store = self.open(self.postgres.url(), clock).await?;
        store.reset().await.map_err(|error| error.to_string())?;
        Ok(store)
    }

    async fn by_proxy(&self, clock: &Clock) -> Result<PostgresStore, String> {
        let direct = format!("127.0.0.1:{}", self.postgres.port());
        self.open(self.postgres.url().replace(&direct, &self.proxy.to_string()), clock).await
    }
}

/// Goal: whichever piece of a call is the last to arrive, what is stored goes with what the caller was told, and the
/// same call made again is answered as it must be. A statement that was only prepared has certainly not run.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_goes_with_what_was_told() {
    let postgres = Postgres::start().expect("PostgreSQL is installed");
    let proxy = Proxy::start((Ipv4Addr::LOCALHOST, postgres.port()).into()).await.expect("a free port");
    let server = Server { postgres, proxy: proxy.address() };
    let all = interrupt(&server, &proxy).await.expect("a store that works in peace");
    assert_eq!(all.findings, Vec::<String>::new());
    assert!(all.count() > 100 && all.unknown() > 40 && all.count() > all.unknown(), "{all}");
}
