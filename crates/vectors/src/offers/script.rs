use holdover_offers::{ActivationStatus, FenceReason};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// What the ports do, call by call; a call without an entry succeeds.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Scripts {
    pub(super) starting: VecDeque<Entry>,
    pub(super) running: VecDeque<Entry>,
    pub(super) fail_start: VecDeque<Entry>,
    pub(super) prepare: VecDeque<Entry>,
    pub(super) start: VecDeque<Entry>,
    pub(super) stop: VecDeque<Entry>,
    pub(super) journal: Vec<JournalEntry>,
}

/// What one call does.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Entry {
    /// Applied when the call arrives.
    pub(super) before: Vec<Change>,
    /// The answer waits for the release of this gate.
    pub(super) gate: Option<String>,
    /// The call is never answered.
    pub(super) hang: bool,
    /// The fence is refused.
    pub(super) reject: Option<FenceReason>,
    /// The call fails otherwise.
    pub(super) throw: Option<String>,
    /// A failing start has spawned the process all the same.
    pub(super) spawned: bool,
    /// What the control plane says.
    pub(super) status: Option<Status>,
    /// What differs in the lease that it answers.
    pub(super) lease: Map<String, Value>,
    /// The completion capability of a context, null for none.
    #[serde(deserialize_with = "present")]
    pub(super) callback: Option<Value>,
    /// The log artifact of a context, null for none.
    #[serde(deserialize_with = "present")]
    pub(super) log_artifact_id: Option<Value>,
    /// What differs in the handle of a process.
    pub(super) handle: Map<String, Value>,
    /// What is missing in it.
    pub(super) handle_unset: Vec<String>,
}

/// What happens to one journal operation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JournalEntry {
    pub(super) on: JournalOperation,
    /// Counts the calls of that operation, from 1.
    pub(super) nth: u64,
    #[serde(default)]
    pub(super) fault: Option<Fault>,
    #[serde(default)]
    pub(super) before: Vec<Change>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum JournalOperation {
    Read,
    Create,
    Replace,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Fault {
    Io,
    IoAfter,
    NotOwned,
    CrashBefore,
    CrashAfter,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Applied,
    AlreadyStarting,
    AlreadyRunning,
    AlreadyTerminal,
}

/// A change of the world from outside.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Change {
    SetClockMs(Value),
    SetSession(Value),
    Renew(Map<String, Value>),
    Track(Value),
    Untrack(String),
    JournalWrite(JournalWrite),
}

/// Another actor replaces a record.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct JournalWrite {
    pub(super) offer_id: String,
    #[serde(default)]
    pub(super) set: Map<String, Value>,
    #[serde(default)]
    pub(super) unset: Vec<String>,
}

impl Status {
    pub(super) fn or_applied(status: Option<Self>) -> ActivationStatus {
        match status {
            None | Some(Self::Applied) => ActivationStatus::Applied,
            Some(Self::AlreadyStarting) => ActivationStatus::AlreadyStarting,
            Some(Self::AlreadyRunning) => ActivationStatus::AlreadyRunning,
            Some(Self::AlreadyTerminal) => ActivationStatus::AlreadyTerminal,
        }
    }
}

/// A member that is there, also as null.
pub(super) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
