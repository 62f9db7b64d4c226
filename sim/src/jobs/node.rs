use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A participant of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Node {
    /// Somebody who creates, cancels and reads jobs.
    Client(u8),
    /// A gateway and coordinator process.
    Service(u8),
    /// A worker process.
    Worker(u8),
    /// A process that takes expired leases away from time to time.
    Sweeper(u8),
    /// The store.
    Store,
    /// What the jobs' work is done to.
    Resource,
    /// Somebody who operates on jobs without holding them.
    Stranger,
    /// Who runs the service: switches it, and nothing else.
    Operator,
}

impl Node {
    /// A number for each node: its kind above, its index below.
    fn number(self) -> u128 {
        let (kind, index) = match self {
            Self::Client(index) => (0, index),
            Self::Service(index) => (1, index),
            Self::Worker(index) => (WORKER, index),
            Self::Sweeper(index) => (3, index),
            Self::Store => (4, 0),
            Self::Resource => (5, 0),
            Self::Stranger => (6, 0),
            Self::Operator => (7, 0),
        };
        kind << 8 | u128::from(index)
    }

    /// The worker whose number this is.
    pub(super) fn worker_of(number: u128) -> Option<u8> {
        (number >> 8 == WORKER).then_some(number as u8)
    }
}

/// The kind of workers in a node's number.
const WORKER: u128 = 2;

// A hasher must be able to tell nodes from numbers, to give workers other names: nothing else in the workspace is
// hashed by `write_u128`.
impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.number());
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(index) => write!(f, "client-{index}"),
            Self::Service(index) => write!(f, "service-{index}"),
            Self::Worker(index) => write!(f, "worker-{index}"),
            Self::Sweeper(index) => write!(f, "sweeper-{index}"),
            Self::Store => f.write_str("store"),
            Self::Resource => f.write_str("resource"),
            Self::Stranger => f.write_str("stranger"),
            Self::Operator => f.write_str("operator"),
        }
    }
}

impl From<Node> for String {
    fn from(node: Node) -> Self {
        node.to_string()
    }
}

impl TryFrom<String> for Node {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let known = match text.rsplit_once('-').and_then(|(kind, index)| Some((kind, index.parse().ok()?))) {
            Some(("client", index)) => Some(Self::Client(index)),
            Some(("service", index)) => Some(Self::Service(index)),
            Some(("worker", index)) => Some(Self::Worker(index)),
            Some(("sweeper", index)) => Some(Self::Sweeper(index)),
            _ => [Self::Store, Self::Resource, Self::Stranger, Self::Operator]
                .into_iter()
                .find(|node| node.to_string() == text),
        };
        known.ok_or_else(|| {
            format!("`{text}` is not a node; nodes are client-0, service-0, worker-0, sweeper-0, store")
        })
    }
}
