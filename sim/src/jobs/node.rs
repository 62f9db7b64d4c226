use serde::{Deserialize, Serialize};
use std::fmt;

/// A participant of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
