use crate::OpenError;
use holdover_jobs::Order;
use holdover_store::StoreClock;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How a store is opened.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// The file. It is made if it is not there; its folder must be.
    pub path: PathBuf,
    /// In which order jobs are handed out. [`Order::TenantRing`] is not offered and means [`Order::Fifo`]. A file that
    /// was used in another order has its indexes made anew.
    pub order: Order,
    /// The store's own clock; the machine's where there is none.
    pub clock: Option<Arc<dyn StoreClock>>,
    /// How long a lock of another process is waited for.
    pub busy_timeout: Duration,
    /// How many connections read beside the writer; at least one.
    pub readers: usize,
    /// What is durable when a call is answered.
    pub durability: Durability,
    /// The most pages of 4096 bytes that the file may have; as many as the disk has room for where there is none.
    pub pages_max: Option<u32>,
    /// The SQLite VFS to use, by its name; the system's where there is none.
    pub vfs: Option<String>,
}

/// What is durable when a call is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// Everything, also when power is lost.
    Full,
    /// Everything when the process is killed; the last moments may be lost with power, the file stays sound.
    Normal,
    /// Nothing when power is lost, and the file may be damaged then. For tests.
    Off,
}

impl Options {
    /// Of a store in this file: first in, first out, everything durable.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            order: Order::Fifo,
            clock: None,
            busy_timeout: Duration::from_secs(5),
            readers: 2,
            durability: Durability::Full,
            pages_max: None,
            vfs: None,
        }
    }

    /// The order that jobs are handed out in.
    pub(crate) fn offered_order(&self) -> Order {
        if self.order == Order::TenantRing { Order::Fifo } else { self.order }
    }

    /// Of the store that is named `sqlite:PATH`.
    ///
    /// # Errors
    /// The URL has another scheme, or no path.
    pub fn of_url(url: &str) -> Result<Self, OpenError> {
        let path = url.strip_prefix("sqlite:").filter(|path| !path.is_empty());
        path.map(Self::new).ok_or_else(|| OpenError::Url { url: url.to_owned() })
    }
}

impl Durability {
    /// As SQLite calls it.
    pub(crate) fn synchronous(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
            Self::Off => "OFF",
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("path", &self.path)
            .field("order", &self.order)
            .field("durability", &self.durability)
            .finish_non_exhaustive()
    }
}
