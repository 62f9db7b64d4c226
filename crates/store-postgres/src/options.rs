use crate::OpenError;
use holdover_jobs::Order;
use holdover_store::StoreClock;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Config;

/// The longest name that PostgreSQL has.
const NAME_MAX: usize = 63;
/// A store plans its statements once. These keep the plans to the indexes whatever the statistics say, which know
/// nothing of a queue that was empty a moment ago.
const PLANNER: &str = "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off \
    -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan -c jit=off";

/// How a store is opened.
#[derive(Clone)]
#[must_use]
pub struct Options {
    address: String,
    schema: Option<String>,
    pub(crate) order: Order,
    pub(crate) clock: Option<Arc<dyn StoreClock>>,
    pub(crate) connections: usize,
    pub(crate) patience: Duration,
}

impl Options {
    /// A store at this address, `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`. The connection is not
    /// encrypted. Without more, its schema is `holdover`, jobs are handed out by [`Order::Fifo`], there are at most 16
    /// connections, and a call is given up after 10 seconds.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            schema: None,
            order: Order::Fifo,
            clock: None,
            connections: 16,
            patience: Duration::from_secs(10),
        }
    }

    /// In this schema, whatever the address says. Stores in different schemas know nothing of each other.
    pub fn schema(self, schema: impl Into<String>) -> Self {
        Self { schema: Some(schema.into()), ..self }
    }

    /// In this order; [`Order::TenantRing`] is not offered and hands out as [`Order::Fifo`].
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// By this clock instead of the server's.
    pub fn clock(self, clock: impl StoreClock + 'static) -> Self {
        Self { clock: Some(Arc::new(clock)), ..self }
    }

    /// At most so many connections. A call occupies one while it is carried out.
    pub fn connections(self, connections: usize) -> Self {
        Self { connections: connections.max(1), ..self }
    }

    /// A call, the wait for a connection included, is given up after this long.
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The schema's name.
    pub(crate) fn schema_name(&self) -> Result<String, OpenError> {
        let name = match (&self.schema, self.parts().1) {
            (Some(schema), _) => schema,
            (None, Some(schema)) => schema,
            (None, None) => "holdover",
        };
        let letters = name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        let begins = name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
        if letters && begins && name.len() <= NAME_MAX {
            Ok(name.to_owned())
        } else {
            Err(OpenError::Schema(name.to_owned()))
        }
    }

    /// How a connection is made.
    pub(crate) fn config(&self) -> Result<Config, OpenError> {
        let mut config: Config = self.parts().0.parse().map_err(|error: tokio_postgres::Error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            OpenError::Address(cause.unwrap_or_else(|| error.to_string()))
        })?;
        let asked = config.get_options().unwrap_or_default();
        let options = format!("{asked} {PLANNER} -c search_path={}", self.schema_name()?);
        config.options(options.trim());
        if config.get_application_name().is_none() {
            config.application_name("holdover");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(self.patience);
        }
        config.tcp_user_timeout(self.patience);
        Ok(config)
    }

    /// The address without the schema, and the schema.
    fn parts(&self) -> (String, Option<&str>) {
        let Some((address, query)) = self.address.split_once('?') else {
            return (self.address.clone(), None);
        };
        let named = |part: &&str| part.starts_with("schema=");
        let schema = query.split('&').find(named).and_then(|part| part.strip_prefix("schema="));
        let rest: Vec<&str> = query.split('&').filter(|part| !named(part)).collect();
        let rest = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
        (format!("{address}{rest}"), schema)
    }
}

impl From<&str> for Options {
    fn from(address: &str) -> Self {
        Self::new(address)
    }
}

impl From<String> for Options {
    fn from(address: String) -> Self {
        Self::new(address)
    }
}

impl fmt::Debug for Options {
    /// The address is left out: it may have a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("schema", &self.schema)
            .field("order", &self.order)
            .field("connections", &self.connections)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}
