use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What kind of event it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// Something was asked for.
    Invoke,
    /// It was carried out.
    Ok,
    /// It was certainly not carried out.
    Fail,
    /// It may have been carried out.
    Info,
}

impl Type {
    /// Its name in a history.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invoke => "invoke",
            Self::Ok => "ok",
            Self::Fail => "fail",
            Self::Info => "info",
        }
    }
}

/// One event of a history. Its value is any JSON, or what the checks read of it ([`Told`](super::Told)).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an event")]
pub struct HistoryEvent<V = Value> {
    /// Its place in the history.
    pub index: u64,
    /// When, in nanoseconds.
    pub time: i64,
    /// Who asks: a process does one thing at a time, so that its events pair up.
    pub process: u64,
    /// What kind of event it is.
    #[serde(rename = "type")]
    pub kind: Type,
    /// The operation.
    pub f: String,
    /// What was asked for; in an answer, what was answered.
    pub value: V,
    /// Why it was refused, or not answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
