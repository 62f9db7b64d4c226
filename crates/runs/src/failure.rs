use crate::ErrorCode;
use holdover_machine::Outcome;
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

/// What went wrong, reduced to what may be known. Messages and details stay outside: they are dropped where a
/// failure enters, so nothing here can show them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("{}", code.message())]
pub struct Failure {
    code: ErrorCode,
    /// Whether somebody who knows the classes named this one.
    classified: bool,
    reason: Option<Reason>,
}

/// The reasons that may be told together with a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Events are not kept, so a stream cannot resume.
    EventReplayUnavailable,
    /// The run has, or had, its one subscriber.
    SubscriberAlreadyActive,
    /// There is no such decision to make.
    ApprovalNotPending,
}

impl Reason {
    /// The reason's name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EventReplayUnavailable => "event_replay_unavailable",
            Self::SubscriberAlreadyActive => "subscriber_already_active",
            Self::ApprovalNotPending => "approval_not_pending",
        }
    }
}

impl Failure {
    /// A failure of a known class.
    pub const fn classified(code: ErrorCode) -> Self {
        Self { code, classified: true, reason: None }
    }

    /// A failure of a known class with details, of which only a known `reason` is kept.
    pub fn with_details(code: ErrorCode, details: &Value) -> Self {
        let reason = details.get("reason").and_then(|reason| Reason::deserialize(reason).ok());
        Self { code, classified: true, reason }
    }

    /// A conflict whose reason may be told.
    pub const fn conflict(reason: Reason) -> Self {
        Self { code: ErrorCode::Conflict, classified: true, reason: Some(reason) }
    }

    /// A failure nobody classified.
    pub const fn unclassified() -> Self {
        Self { code: ErrorCode::Internal, classified: false, reason: None }
    }

    /// Something that was thrown or returned as an error value: its code counts if it is one of the contract, a
    /// known code with a text message.
    pub fn value(value: &Value) -> Self {
        let code = value.get("code").and_then(|code| ErrorCode::deserialize(code).ok());
        match (code, value.get("message")) {
            (Some(code), Some(Value::String(_))) => Self { code, classified: false, reason: None },
            _ => Self::unclassified(),
        }
    }

    /// The failure as a plain value of its class, as it is after it was stored or sent.
    pub(crate) const fn as_value(self) -> Self {
        Self { code: self.code, classified: false, reason: None }
    }

    /// The class.
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The reason, if it may be told.
    pub const fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// Whether the runtime says that it knows nothing of what it was asked about.
    pub(crate) fn is_not_found(&self) -> bool {
        self.classified && self.code == ErrorCode::NotFound
    }
}

/// What a port answered. A write that may have been carried out counts as one that was not: memory, which changed first,
/// then holds what storage may hold.
pub(crate) fn answered<T>(outcome: Outcome<T, Failure>) -> Result<T, Failure> {
    match outcome {
        Outcome::Ok(answer) => Ok(answer),
        Outcome::Failed(failure) | Outcome::Unknown(failure) => Err(failure),
    }
}
