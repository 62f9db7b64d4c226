use crate::durability::Durability;
use crate::link::Link;
use crate::records::RedisRecords;
use crate::{OpenError, RedisOptions};
use holdover_jobs::{Call, Event, Order, Record, Reply};
use holdover_store::{HeldClock, RecordStore, Store, StoreError};
use redis::{Client, RedisError, cmd};
use std::sync::Arc;

/// The version of the layout of keys and rows.
const LAYOUT: u32 = 1;
const PREFIX_UNITS_MAX: usize = 64;
/// So many keys are looked at, or jobs read, at once.
const AT_ONCE: u32 = 500;

/// The job store on a Redis server. What it promises is in the documentation of the crate.
#[derive(Debug)]
pub struct RedisStore {
    store: RecordStore<RedisRecords>,
    prefix: String,
}

impl RedisStore {
    /// Connects, and makes the store if there is none under the prefix.
    ///
    /// # Errors
    /// A wrong option, a server that cannot be used, or a store of another form under the prefix.
    pub async fn open(options: RedisOptions) -> Result<Self, OpenError> {
        let link = link(&options)?;
        check_form(&link, &options.prefix, options.order).await?;
        let prefix = options.prefix.clone();
        let held = Arc::new(HeldClock::default());
        let records = RedisRecords::new(link, &options, Arc::clone(&held));
        Ok(Self { store: RecordStore::sharing_clock(records, options.order, held), prefix })
    }

    /// The records under the store, for another store on them.
    pub fn into_records(self) -> RedisRecords {
        self.store.into_records()
    }

    /// When the server has on disk what it has answered, as it said when the store connected last.
    pub async fn durability(&self) -> Durability {
        self.store.records().link.server().await.durability
    }

    /// The server and what its settings promise, in one line.
    pub async fn describe(&self) -> String {
        let server = self.store.records().link.server().await;
        format!("Redis {}, {}", server.version, server.durability)
    }

    /// Every job with its log, in the order of creation: for a judgement of the whole, with nobody else at work.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn all_records(&self) -> Result<Vec<(Arc<Record>, Vec<Event>)>, StoreError> {
        let mut all = Vec::new();
        let mut from = 0;
        loop {
            let some = self.store.records().whole_jobs(from, AT_ONCE).await?;
            let Some((last, _)) = some.last() else { return Ok(all) };
            from = last.number.saturating_add(1);
            all.extend(some);
        }
    }

    /// Deletes everything under the prefix of these options, also a store of another form. For tests, with nobody else
    /// at work.
    ///
    /// # Errors
    /// A wrong option, or a server that cannot be used; a part may be deleted.
    pub async fn erase(options: &RedisOptions) -> Result<(), OpenError> {
        let emptied = empty(&link(options)?).await;
        emptied.map_err(|error| OpenError::Server(error.to_string()))
    }

    /// Deletes everything under the prefix. For tests, with nobody else at work.
    ///
    /// # Errors
    /// The server cannot be used; a part may be deleted.
    pub async fn reset(&self) -> Result<(), StoreError> {
        let link = &self.store.records().link;
        empty(link).await.map_err(|error| StoreError::Unknown(error.to_string()))?;
        let order = self.store.records().order;
        check_form(link, &self.prefix, order).await.map_err(|error| StoreError::Unknown(error.to_string()))
    }
}

/// The way to the server.
fn link(options: &RedisOptions) -> Result<Link, OpenError> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'-');
    let prefix = &options.prefix;
    if !(1..=PREFIX_UNITS_MAX).contains(&prefix.len()) || !prefix.bytes().all(allowed) {
        return Err(OpenError::Prefix(prefix.clone()));
    }
    let client = Client::open(options.url.as_str()).map_err(|error| OpenError::Url(error.to_string()))?;
    Ok(Link::new(client, prefix, options.answer_within))
}

async fn empty(link: &Link) -> Result<(), RedisError> {
    let mut cursor = 0_u64;
    loop {
        let mut scan = cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg(link.key("*")).arg("COUNT").arg(AT_ONCE);
        let (next, keys): (u64, Vec<String>) = link.query(&scan).await?;
        if !keys.is_empty() {
            let mut unlink = cmd("UNLINK");
            unlink.arg(keys);
            link.query::<()>(&unlink).await?;
        }
        if next == 0 {
            return Ok(());
        }
        cursor = next;
    }
}

/// A prefix keeps the layout and the order that it was first used with.
async fn check_form(link: &Link, prefix: &str, order: Order) -> Result<(), OpenError> {
    let order = match order {
        Order::Created => "created",
        Order::Fifo | Order::TenantRing => "fifo",
    };
    let (key, wanted) = (link.key("form"), format!("{LAYOUT} {order}"));
    let server = |error: RedisError| OpenError::Server(error.to_string());
    let mut set = cmd("SET");
    set.arg(&key).arg(&wanted).arg("NX");
    link.query::<Option<String>>(&set).await.map_err(server)?;
    let mut get = cmd("GET");
    get.arg(&key);
    let found: Option<String> = link.query(&get).await.map_err(server)?;
    match found {
        Some(found) if found == wanted => Ok(()),
        found => Err(OpenError::Form { prefix: prefix.to_owned(), found: found.unwrap_or_default(), wanted }),
    }
}

impl Store for RedisStore {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        self.store.execute(call).await
    }
}
