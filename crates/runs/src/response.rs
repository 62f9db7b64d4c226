use crate::{ErrorIds, Failure, PublicError, Snapshot};
use serde::Serialize;
use serde_json::Value;

/// A plain answer to a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The body, which is sent as JSON.
    pub body: Body,
}

/// The body of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Body {
    /// It was done, or there is nothing that the caller may know.
    Done {
        /// Always true.
        ok: bool,
    },
    /// The runtime's words for an accepted run.
    Accepted(Value),
    /// The run.
    Snapshot(Box<Snapshot>),
    /// What went wrong.
    Error(PublicError),
}

/// The headers of a stream; its status is 200.
pub const STREAM_HEADERS: [(&str, &str); 4] = [
    ("Content-Type", "text/event-stream"),
    ("Cache-Control", "no-cache, no-transform"),
    ("X-Accel-Buffering", "no"),
    ("X-Content-Type-Options", "nosniff"),
];

impl Response {
    pub(crate) fn done() -> Self {
        Self { status: 200, body: Body::Done { ok: true } }
    }

    pub(crate) fn accepted(body: Value) -> Self {
        Self { status: 202, body: Body::Accepted(body) }
    }

    pub(crate) fn snapshot(snapshot: Snapshot) -> Self {
        Self { status: 200, body: Body::Snapshot(Box::new(snapshot)) }
    }

    pub(crate) fn error(failure: Failure, ids: &mut ErrorIds) -> Self {
        Self { status: failure.code().status(), body: Body::Error(PublicError::of(failure, ids)) }
    }
}
