use crate::{Phase, Snapshot};
use holdover_machine::{Secret, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The one durable value of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// Where the run stands.
    pub phase: Phase,
    /// The run.
    pub run_id: String,
    /// The identity of the owner. It is written, because ownership must survive a restart; it is never answered.
    #[serde(serialize_with = "Secret::write")]
    pub actor: Secret<Value>,
    /// What the runtime announced, if it did.
    pub handle: Option<Handle>,
    /// What the owner may see.
    pub snapshot: Snapshot,
    /// Counts the attempts to write.
    pub revision: u64,
    /// Until when a subscriber is awaited.
    pub accepted_until: Option<Timestamp>,
    /// The approval that was published and not decided yet.
    pub pending: Option<Pending>,
}

/// An approval as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// The call that waits for a decision.
    pub call_id: String,
    /// The revision that its write was expected to get; it tells two approvals of one call apart.
    pub revision: u64,
}

/// The runtime's durable reference of what it made for the run. It is written, because recovery after a restart
/// needs it; it is never answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Handle(#[serde(serialize_with = "Secret::write")] Secret<Value>);

impl Handle {
    /// A handle, or none where the runtime has nothing to refer to.
    pub fn new(value: Value) -> Option<Self> {
        (!value.is_null()).then(|| Self(Secret::new(value)))
    }

    /// The reference, for the runtime that made it.
    pub fn expose(&self) -> &Value {
        self.0.expose()
    }

    pub(crate) fn text(&self, member: &str) -> Option<String> {
        self.expose().get(member).and_then(Value::as_str).map(str::to_owned)
    }
}

/// The body that the runtime answers an accepted run with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Accepted(Value);

impl Accepted {
    /// The body as the runtime made it.
    pub const fn new(body: Value) -> Self {
        Self(body)
    }

    pub(crate) fn body(&self) -> &Value {
        &self.0
    }

    pub(crate) fn text(&self, member: &str) -> Option<String> {
        self.0.get(member).and_then(Value::as_str).map(str::to_owned)
    }
}
