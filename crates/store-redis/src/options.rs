use holdover_jobs::Order;
use holdover_store::StoreClock;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What a store on Redis is opened with.
#[derive(Clone)]
#[non_exhaustive]
pub struct RedisOptions {
    /// The server: `redis://[USER:PASSWORD@]HOST[:PORT]/[DATABASE]`, or `redis+unix:///SOCKET`.
    pub url: String,
    /// What the store's keys begin with: 1 to 64 of `a-z A-Z 0-9 : _ -`. All of them are in one slot.
    pub prefix: String,
    /// In which order jobs are handed out. It is fixed when a prefix is first used.
    pub order: Order,
    /// The clock that judges instead of the server's, for tests.
    pub clock: Option<Arc<dyn StoreClock>>,
    /// After how long without an answer the outcome of a call counts as unknown.
    pub answer_within: Duration,
}

impl RedisOptions {
    /// A store under the prefix `holdover`, first in first out, judged by the server's clock, that waits 5 s for an
    /// answer.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            prefix: "holdover".into(),
            order: Order::Fifo,
            clock: None,
            answer_within: Duration::from_secs(5),
        }
    }

    /// The same under another prefix.
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), ..self }
    }

    /// The same in another order.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The same, judged by this clock.
    #[must_use]
    pub fn clock(self, clock: impl StoreClock + 'static) -> Self {
        Self { clock: Some(Arc::new(clock)), ..self }
    }
}

/// The URL may hold a password.
impl fmt::Debug for RedisOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisOptions")
            .field("prefix", &self.prefix)
            .field("order", &self.order)
            .field("clock", &self.clock.is_some())
            .field("answer_within", &self.answer_within)
            .finish_non_exhaustive()
    }
}
