//! The worker registry: who was seen last when, and what it can run.

use crate::text::Text;
use holdover_machine::StoreTime;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The version text of everything on the worker's side.
pub const WORKER_VERSION: &str = "executor-worker-v1";

/// What a worker says of one of its executors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// The executor.
    pub executor: Text,
    /// Whether it is well.
    pub ok: bool,
    /// A code where it is not, at most 128 UTF-16 units.
    pub code: Option<Text>,
}

/// What a worker says of itself with a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// The worker.
    pub worker: Text,
    /// Its executors, each with its health, in the order in which it named them.
    pub health: Arc<[Health]>,
    /// Whether it takes no more jobs.
    pub draining: bool,
}

/// A worker as the registry shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerView {
    /// What it said of itself.
    pub announcement: Announcement,
    /// When it was seen last.
    pub last_seen: StoreTime,
    /// Whether that is too long ago.
    pub stale: bool,
}

impl WorkerView {
    /// Fresh, not draining, and at least one executor well.
    pub fn is_healthy(&self) -> bool {
        !self.stale && !self.announcement.draining && self.announcement.health.iter().any(|health| health.ok)
    }

    /// The worker as it is shown.
    pub fn to_json(&self) -> Value {
        let Announcement { worker, health, draining } = &self.announcement;
        let by_executor: Map<String, Value> = health
            .iter()
            .map(|health| {
                (health.executor.to_string(), json!({ "ok": health.ok, "code": health.code.as_deref() }))
            })
            .collect();
        json!({
            "version": WORKER_VERSION,
            "workerId": &**worker,
            "executors": health.iter().map(|health| &*health.executor).collect::<Vec<_>>(),
            "draining": draining,
            "adapterHealth": by_executor,
            "lastSeenAt": self.last_seen.ms(),
            "stale": self.stale,
        })
    }
}
