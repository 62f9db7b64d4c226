use super::super::{
    input::read,
    script::{Status, present},
};
use crate::FormatError;
use holdover_offers::{FenceReason, Loss, Session, StopStatus};
use serde::Deserialize;
use serde_json::Value;
use std::collections::VecDeque;

/// One file.
#[derive(Deserialize)]
pub(super) struct Scenario {
    #[serde(flatten)]
    pub(super) start: Start,
    #[serde(flatten)]
    pub(super) operation: Operation,
    pub(super) expect: Value,
}

/// What is done.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(super) enum Operation {
    Audit {
        page_size: usize,
        max_pages: u64,
    },
    Recover {
        #[serde(default)]
        grace_ms: i64,
        #[serde(default = "once")]
        repeat: u64,
    },
    LeaseLoss {
        loss: Loss,
        #[serde(default)]
        stop: Option<StopStatus>,
    },
}

/// What there is before it.
#[derive(Deserialize)]
pub(super) struct Start {
    pub(super) clock_ms: Value,
    #[serde(default)]
    pub(super) session: Option<Box<Session>>,
    pub(super) journal: Vec<Value>,
    #[serde(default)]
    pub(super) receipt: Option<Value>,
    #[serde(default)]
    pub(super) inspection: Option<Probe>,
    #[serde(default)]
    pub(super) ports: Scripts,
}

/// The answer of every probe.
#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
pub(super) struct Probe {
    #[serde(default)]
    pub(super) status: String,
    #[serde(default)]
    pub(super) identity_pid: Option<u64>,
}

/// What the ports do, call by call; a call without an entry succeeds.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Scripts {
    pub(super) receipt_read: VecDeque<Entry>,
    pub(super) receipt_remove: VecDeque<Entry>,
    pub(super) complete: VecDeque<Entry>,
    pub(super) running: VecDeque<Entry>,
    pub(super) replace: VecDeque<Entry>,
}

/// What one call does.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Entry {
    /// The call fails with this label.
    pub(super) throw: Option<String>,
    /// The fence is refused.
    pub(super) reject: Option<FenceReason>,
    /// What is read, instead of the published receipt; null for nothing.
    #[serde(deserialize_with = "present")]
    pub(super) reply: Option<Value>,
    /// What the control plane says.
    pub(super) status: Option<Status>,
    /// The version of the lease that it answers.
    pub(super) lease_version: Option<u64>,
}

impl Scenario {
    pub(super) fn read(file: &Value) -> Result<Self, FormatError> {
        read("$", file)
    }
}

fn once() -> u64 {
    1
}
