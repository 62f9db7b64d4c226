use crate::{PublicError, RunStatus};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the owner may see of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// The run.
    pub run_id: String,
    /// The conversation that it belongs to, once it is known.
    pub conversation_id: Option<String>,
    /// The turn that it is, once it is known.
    pub turn_id: Option<String>,
    /// Where it stands.
    pub status: RunStatus,
    /// Whether a cancel was asked for. It never returns to false.
    pub cancel_requested: bool,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<PublicError>,
    /// Which budget it used up, in the runtime's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exhausted: Option<Value>,
}

impl Snapshot {
    pub(crate) fn new(run_id: String) -> Self {
        Self {
            run_id,
            conversation_id: None,
            turn_id: None,
            status: RunStatus::Running,
            cancel_requested: false,
            error: None,
            exhausted: None,
        }
    }
}

/// How the runtime says an execution or an abandoning ended. What else its result holds is its own affair and does
/// not come in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Final {
    /// The status; still running is a fault of the runtime.
    pub status: RunStatus,
    /// Whether the runtime saw a cancel.
    pub cancel_requested: bool,
    /// Why it failed.
    pub error: Option<crate::Failure>,
    /// Which budget it used up.
    pub exhausted: Option<Value>,
}
