use super::{runtime_script::Scripts, storage::Fault};
use crate::FormatError;
use holdover_runs::{ErrorCode, Failure, Record};
use serde::Deserialize;
use serde_json::Value;
use std::collections::VecDeque;

/// One file.
#[derive(Deserialize)]
pub(super) struct Scenario {
    #[serde(flatten)]
    pub(super) start: Start,
    pub(super) steps: Vec<Step>,
    pub(super) expect: Value,
    #[serde(default)]
    pub(super) secrets: Vec<String>,
    #[serde(default)]
    pub(super) tags: Vec<String>,
}

/// What there is before the first step.
#[derive(Deserialize)]
pub(super) struct Start {
    pub(super) clock_ms: i64,
    #[serde(default)]
    pub(super) storage: Option<Record>,
    #[serde(default)]
    pub(super) ports: PortScripts,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct PortScripts {
    #[serde(flatten)]
    pub(super) runtime: Scripts,
    pub(super) storage: VecDeque<Fault>,
}

/// One input.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Step {
    Accept {
        id: String,
        body: Option<Value>,
        raw: Option<String>,
        signal: Option<String>,
    },
    Events {
        id: String,
        actor: Value,
        last_event_id: Option<String>,
        signal: Option<String>,
        read: Option<Reading>,
    },
    Snapshot {
        id: String,
        actor: Value,
    },
    Cancel {
        id: String,
        actor: Value,
    },
    Approval {
        id: String,
        actor: Value,
        body: Option<Value>,
        raw: Option<String>,
    },
    Request {
        id: String,
        method: String,
        path: String,
        actor: Option<Value>,
        actor_raw: Option<String>,
    },
    Alarm {
        id: String,
    },
    Clock {
        now_ms: i64,
    },
    Abort {
        signal: String,
    },
    Release {
        gate: String,
    },
    Read {
        stream: String,
        chunks: Option<usize>,
    },
    CancelStream {
        stream: String,
    },
    Restart,
}

/// How a stream is read if not at once.
#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reading {
    Manual,
}

/// A scripted failure.
#[derive(Deserialize, Clone)]
#[serde(untagged)]
pub(super) enum Throw {
    Classified {
        code: ErrorCode,
        #[serde(default)]
        details: Value,
    },
    Plain {
        #[serde(rename = "plain")]
        _text: String,
    },
    Thrown {
        value: Value,
    },
}

impl Throw {
    pub(super) fn failure(&self) -> Failure {
        match self {
            Self::Classified { code, details } => Failure::with_details(*code, details),
            Self::Plain { .. } => Failure::unclassified(),
            Self::Thrown { value } => Failure::value(value),
        }
    }
}

impl Scenario {
    pub(super) fn read(file: &Value) -> Result<Self, FormatError> {
        Self::deserialize(file).map_err(|error| FormatError::malformed("$", error.to_string()))
    }
}
