use super::scenario::Throw;
use holdover_runs::Failure;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;

/// What the runtime does, call by call; a call without an entry succeeds.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Scripts {
    prepare: VecDeque<Prepare>,
    execute: VecDeque<Execute>,
    abandon: VecDeque<Plain>,
    recover: VecDeque<Plain>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Prepare {
    before_handle_gate: Option<String>,
    handles: Option<Vec<Value>>,
    gate: Option<String>,
    hang: bool,
    throw: Option<Throw>,
    accepted: Map<String, Value>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Execute {
    ops: Vec<Op>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Plain {
    gate: Option<String>,
    hang: bool,
    throw: Option<Throw>,
    snapshot: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Op {
    Emit(Value),
    EmitTextBytes(usize),
    EmitCaught(Value),
    Approve(String),
    Gate(String),
    Yield(#[serde(deserialize_with = "mark")] ()),
    AwaitAbort(#[serde(deserialize_with = "mark")] ()),
    Hang(#[serde(deserialize_with = "mark")] ()),
    Throw(Throw),
    Finish(Map<String, Value>),
}

/// An operation that is only named has the value `true`.
fn mark<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    bool::deserialize(deserializer).map(|_| ())
}

/// One thing that a call of the runtime does.
pub(super) enum Act {
    Announce(Value),
    Emit { event: Value, caught: bool },
    Approve(String),
    Gate(String),
    AwaitAbort,
    Hang,
    Throw(Failure),
    Return(Value),
}

impl Scripts {
    pub(super) fn prepare(&mut self, run_id: &str) -> VecDeque<Act> {
        let entry = self.prepare.pop_front().unwrap_or_default();
        let handles =
            entry.handles.unwrap_or_else(|| vec![json!({ "conversationId": "conv-1", "turnId": "turn-1" })]);
        let accepted = json!({ "runId": run_id, "conversationId": "conv-1", "turnId": "turn-1" });
        let mut acts: VecDeque<Act> = entry.before_handle_gate.map(Act::Gate).into_iter().collect();
        acts.extend(handles.into_iter().map(Act::Announce));
        acts.extend(end(entry.gate, entry.hang, entry.throw, overlay(accepted, entry.accepted)));
        acts
    }

    pub(super) fn execute(&mut self) -> VecDeque<Act> {
        let entry = self.execute.pop_front().unwrap_or_default();
        let completed = || json!({ "status": "completed", "cancelRequested": false });
        let act = |op| match op {
            Op::Emit(event) => Some(Act::Emit { event, caught: false }),
            Op::EmitCaught(event) => Some(Act::Emit { event, caught: true }),
            Op::EmitTextBytes(bytes) => {
                Some(Act::Emit { event: json!({ "kind": "text", "text": "x".repeat(bytes) }), caught: false })
            }
            Op::Approve(call_id) => Some(Act::Approve(call_id)),
            Op::Gate(gate) => Some(Act::Gate(gate)),
            Op::AwaitAbort(()) => Some(Act::AwaitAbort),
            Op::Hang(()) => Some(Act::Hang),
            Op::Throw(throw) => Some(Act::Throw(throw.failure())),
            Op::Finish(last) => Some(Act::Return(overlay(completed(), last))),
            // Whatever can run runs between two operations anyway.
            Op::Yield(()) => None,
        };
        let mut acts: VecDeque<Act> = entry.ops.into_iter().filter_map(act).collect();
        acts.push_back(Act::Return(completed()));
        acts
    }

    pub(super) fn abandon(&mut self) -> VecDeque<Act> {
        let entry = self.abandon.pop_front().unwrap_or_default();
        let cancelled = json!({ "status": "cancelled", "cancelRequested": true });
        end(entry.gate, entry.hang, entry.throw, overlay(cancelled, entry.snapshot)).collect()
    }

    pub(super) fn recover(&mut self) -> VecDeque<Act> {
        let entry = self.recover.pop_front().unwrap_or_default();
        end(entry.gate, entry.hang, entry.throw, Value::Null).collect()
    }
}

/// The end that every scripted call has.
fn end(gate: Option<String>, hang: bool, throw: Option<Throw>, reply: Value) -> impl Iterator<Item = Act> {
    let reply = throw.map_or(Act::Return(reply), |throw| Act::Throw(throw.failure()));
    gate.map(Act::Gate).into_iter().chain(hang.then_some(Act::Hang)).chain([reply])
}

fn overlay(mut base: Value, members: Map<String, Value>) -> Value {
    if let Some(base) = base.as_object_mut() {
        base.extend(members);
    }
    base
}
