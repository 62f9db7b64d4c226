use serde::{Deserialize, Serialize};

/// What a worker asks the store for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Operation {
    Claim,
    Heartbeat,
    Complete,
}

/// One thing that may happen in the toy world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    /// A worker asks the store; where the request is held, it waits to be delivered.
    Call { worker: usize, operation: Operation, held: bool },
    /// The request that action `sent` brought about arrives.
    Deliver { sent: u32 },
    /// It arrives, and may arrive once more; a claim is told from its copy, which goes unheard.
    Duplicate { sent: u32 },
    /// It is lost.
    Lose { sent: u32 },
    /// A worker forgets what it holds.
    Crash { worker: usize },
    /// Time passes.
    Wait { ms: i64 },
    /// The store takes back leases that have expired.
    Sweep,
    /// Faults stop and the system runs by itself.
    Heal,
}

impl Action {
    pub(crate) fn simpler(&self) -> Vec<Self> {
        match *self {
            Self::Call { worker, operation, held: true } => {
                vec![Self::Call { worker, operation, held: false }]
            }
            Self::Wait { ms } => {
                vec![Self::Wait { ms: ms / 2 }, Self::Wait { ms: ms - ms / 4 }, Self::Wait { ms: ms - 1 }]
                    .into_iter()
                    .filter(|simpler| *simpler != *self && *simpler != Self::Wait { ms: 0 })
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// A held call and its delivery are one call; two waits are one.
    pub(crate) fn merged(&self, number: u32, second: &Self) -> Option<Self> {
        match (self, second) {
            (
                Self::Call { worker, operation, held: true },
                Self::Deliver { sent } | Self::Duplicate { sent },
            ) if *sent == number => Some(Self::Call { worker: *worker, operation: *operation, held: false }),
            (Self::Wait { ms }, Self::Wait { ms: more }) => Some(Self::Wait { ms: ms.checked_add(*more)? }),
            _ => None,
        }
    }

    pub(crate) fn renumbered(&self, map: &dyn Fn(u32) -> Option<u32>) -> Self {
        let named = |sent: u32| map(sent).unwrap_or(sent);
        match *self {
            Self::Deliver { sent } => Self::Deliver { sent: named(sent) },
            Self::Duplicate { sent } => Self::Duplicate { sent: named(sent) },
            Self::Lose { sent } => Self::Lose { sent: named(sent) },
            _ => self.clone(),
        }
    }
}
