use crate::{Lease, Text, WorkerTarget};
use holdover_machine::Timestamp;
use serde::{Deserialize, Serialize};

/// What a worker session takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// Everything.
    Online,
    /// No new claims.
    Draining,
    /// Nothing.
    Offline,
}

/// What the worker told the control plane that it can do.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Capabilities {
    /// The executor types it takes runs for.
    pub executors: Vec<Text>,
}

/// The worker's current session with the control plane.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The worker.
    pub id: Text,
    /// The session.
    pub session_id: Text,
    /// The worker's generation.
    pub generation: u64,
    /// What it takes.
    pub status: SessionStatus,
    /// What it can do.
    pub capabilities: Capabilities,
    /// How many runs it may hold at a time.
    pub max_concurrent_runs: u64,
    /// When the session itself ends.
    #[serde(rename = "leaseExpiresAtMs")]
    pub lease_expires_at: Timestamp,
}

impl Session {
    /// Whether `target` means this session.
    pub fn is(&self, target: &WorkerTarget) -> bool {
        self.id == target.id && self.session_id == target.session_id && self.generation == target.generation
    }

    /// Whether `lease` was given to this session.
    pub fn holds(&self, lease: &Lease) -> bool {
        self.id == lease.worker_id
            && self.session_id == lease.worker_session_id
            && self.generation == lease.worker_generation
    }

    /// Whether the session is over at `now`.
    pub fn expired(&self, now: Timestamp) -> bool {
        self.lease_expires_at <= now
    }
}
