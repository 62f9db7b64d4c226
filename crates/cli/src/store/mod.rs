//! The stores that a command can be pointed at.

mod elsewhere;
mod url;

pub(crate) use elsewhere::Elsewhere;
use holdover_jobs::{Call, Order, Reply, Table};
use holdover_live::Unlocked;
use holdover_node::{RemoteStore, SystemClock};
use holdover_store::{MemoryStore, RecordStore, Store, StoreClock, StoreError};
use holdover_store_postgres::{Options as PostgresOptions, PostgresStore, records::PostgresRecords};
use holdover_store_redis::{RedisOptions, RedisRecords, RedisStore};
use holdover_store_sqlite::{Options as SqliteOptions, SqliteStore};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
pub(crate) use url::StoreUrl;

/// How long a store in another process is given for a call.
const NODE_PATIENCE: Duration = Duration::from_secs(2);

/// Any of the built-in stores.
pub(crate) enum AnyStore {
    Memory(Box<MemoryStore>),
    Sqlite(SqliteStore),
    Postgres(Box<PostgresStore>),
    Redis(Box<RedisStore>),
    Node(RemoteStore),
    /// The same with a bug that is planted beneath the store.
    UnlockedPostgres(Box<RecordStore<Unlocked<PostgresRecords>>>),
    UnlockedRedis(Box<RecordStore<Unlocked<RedisRecords>>>),
}

impl AnyStore {
    /// Opens the store that is named, for jobs to be handed out in this order. Without a clock each store has its own.
    pub(crate) async fn open(
        url: &StoreUrl,
        order: Order,
        clock: Option<Arc<dyn StoreClock>>,
    ) -> Result<Self, String> {
        Ok(match url {
            StoreUrl::Memory => Self::Memory(Box::new(match clock {
                Some(clock) => MemoryStore::new(Table::new(order), move || clock.now()),
                None => MemoryStore::new(Table::new(order), SystemClock::store_time),
            })),
            StoreUrl::Sqlite(path) => Self::Sqlite(sqlite(path, order, clock)?),
            StoreUrl::Node(address) => Self::Node(RemoteStore::new(address.as_str(), NODE_PATIENCE)),
            StoreUrl::Redis(url) => Self::Redis(Box::new(redis(url, order, clock).await?)),
            StoreUrl::Postgres(url) => Self::Postgres(Box::new(postgres(url, order, clock).await?)),
        })
    }

    /// The same, with everything in it forgotten first, in whatever order it handed jobs out.
    pub(crate) async fn open_erased(
        url: &StoreUrl,
        order: Order,
        clock: Option<Arc<dyn StoreClock>>,
    ) -> Result<Self, String> {
        if let StoreUrl::Redis(url) = url {
            RedisStore::erase(&RedisOptions::new(url.as_str())).await.map_err(|error| error.to_string())?;
        }
        let store = Self::open(url, order, clock).await?;
        store.erase().await?;
        Ok(store)
    }

    /// The store with [`Flaw::UnlockedClaim`](holdover_live::Flaw::UnlockedClaim), where it is one of records.
    pub(crate) fn unlocked(self) -> Self {
        let order = Order::Fifo;
        match self {
            Self::Postgres(store) => {
                Self::UnlockedPostgres(Box::new(RecordStore::new(Unlocked(store.into_records()), order)))
            }
            Self::Redis(store) => {
                Self::UnlockedRedis(Box::new(RecordStore::new(Unlocked(store.into_records()), order)))
            }
            other => other,
        }
    }

    /// Forgets everything in it.
    async fn erase(&self) -> Result<(), String> {
        match self {
            // A store in memory is new each time; what another process keeps is not ours to erase, and nobody erases
            // one with a bug.
            Self::Memory(_) | Self::Node(_) => Ok(()),
            Self::UnlockedPostgres(_) | Self::UnlockedRedis(_) => Ok(()),
            Self::Sqlite(store) => store.reset().map_err(|error| error.to_string()),
            Self::Postgres(store) => store.reset().await.map_err(|error| error.to_string()),
            Self::Redis(store) => store.reset().await.map_err(|error| error.to_string()),
        }
    }
}

fn sqlite(path: &Path, order: Order, clock: Option<Arc<dyn StoreClock>>) -> Result<SqliteStore, String> {
    let mut options = SqliteOptions::new(path);
    options.order = order;
    options.clock = clock;
    SqliteStore::open(options).map_err(|error| error.to_string())
}

async fn postgres(
    url: &str,
    order: Order,
    clock: Option<Arc<dyn StoreClock>>,
) -> Result<PostgresStore, String> {
    let options = PostgresOptions::new(url).order(order);
    let options = match clock {
        Some(clock) => options.clock(move || clock.now()),
        None => options,
    };
    PostgresStore::open(options).await.map_err(|error| error.to_string())
}

async fn redis(url: &str, order: Order, clock: Option<Arc<dyn StoreClock>>) -> Result<RedisStore, String> {
    let mut options = RedisOptions::new(url).order(order);
    options.clock = clock;
    RedisStore::open(options).await.map_err(|error| error.to_string())
}

impl Store for AnyStore {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        match self {
            Self::Memory(store) => store.execute(call).await,
            Self::Sqlite(store) => store.execute(call).await,
            Self::Postgres(store) => store.execute(call).await,
            Self::Redis(store) => store.execute(call).await,
            Self::Node(store) => store.execute(call).await,
            Self::UnlockedPostgres(store) => store.execute(call).await,
            Self::UnlockedRedis(store) => store.execute(call).await,
        }
    }
}
