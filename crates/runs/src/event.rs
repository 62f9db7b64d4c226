use crate::Snapshot;
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

/// An event of the runtime. Its payload is the runtime's responsibility and passes unfiltered (W-C11).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Event {
    pub(crate) kind: Kind,
    payload: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A call waits for a decision.
    ApprovalRequired { call_id: String },
    /// Not for the runtime to say.
    End,
    /// Anything else.
    Other,
}

/// A value that is no event.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum EventError {
    /// There is no kind.
    #[error("an event without a text member `kind`")]
    Kind,
    /// An approval is for no call.
    #[error("an event of kind approval_required without a text member `callId`")]
    Call,
}

impl Event {
    /// Reads an event.
    pub fn new(payload: Value) -> Result<Self, EventError> {
        let text = |member: &str| payload.get(member).and_then(Value::as_str);
        let kind = match text("kind").ok_or(EventError::Kind)? {
            "approval_required" => {
                Kind::ApprovalRequired { call_id: text("callId").ok_or(EventError::Call)?.to_owned() }
            }
            "end" => Kind::End,
            _ => Kind::Other,
        };
        Ok(Self { kind, payload })
    }

    pub(crate) fn payload(&self) -> &Value {
        &self.payload
    }
}

/// The last event of a stream, which only the coordinator publishes.
#[derive(Serialize)]
pub(crate) struct End<'a> {
    kind: &'static str,
    status: crate::RunStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a crate::PublicError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exhausted: Option<&'a Value>,
}

impl<'a> End<'a> {
    pub(crate) fn of(snapshot: &'a Snapshot) -> Self {
        let Snapshot { status, error, exhausted, .. } = snapshot;
        Self { kind: "end", status: *status, error: error.as_ref(), exhausted: exhausted.as_ref() }
    }
}
