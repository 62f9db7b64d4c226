use holdover_recovery::Page;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};

/// What the ports do, call by call; a call without an entry is as the default model says.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Scripts {
    pub(super) list: VecDeque<Entry>,
    pub(super) load: VecDeque<Entry>,
    pub(super) wait: VecDeque<Entry>,
    pub(super) process: BTreeMap<String, VecDeque<Entry>>,
    pub(super) recover: BTreeMap<String, VecDeque<Entry>>,
    pub(super) record_running: BTreeMap<String, VecDeque<Entry>>,
    pub(super) inspect: BTreeMap<String, VecDeque<Entry>>,
}

/// What one call does.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Entry {
    /// Applied when the call arrives.
    pub(super) before: Vec<Change>,
    /// The call is never answered.
    pub(super) hang: bool,
    /// The answer waits for the release of this gate.
    pub(super) gate: Option<String>,
    /// Applied just before the answer.
    pub(super) effects: Vec<Change>,
    /// The call fails with this text.
    pub(super) throw: Option<String>,
    /// The answer, instead of the default model's.
    pub(super) reply: Option<Value>,
    /// The answer of a listing.
    pub(super) page: Option<Page>,
}

/// A change of the world from outside the pass.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Change {
    pub(super) set_clock_ms: Option<i64>,
    pub(super) run: Option<String>,
    pub(super) attempt: Option<String>,
    pub(super) set: Map<String, Value>,
    pub(super) unset: Vec<String>,
    pub(super) remove: bool,
}

impl Scripts {
    /// The next entry of a port that is scripted by key.
    pub(super) fn next(scripts: &mut BTreeMap<String, VecDeque<Entry>>, key: &str) -> Entry {
        scripts.get_mut(key).and_then(VecDeque::pop_front).unwrap_or_default()
    }
}
