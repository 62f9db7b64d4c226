use super::runtime_script::{Act, Scripts};
use holdover_machine::Outcome;
use holdover_runs::{Accepted, Event, Failure, Final, Handle, Input, OperationId, RunStatus, WaitId};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};

/// The scripted runtime: calls that are under way, each a list of acts.
pub(super) struct Runtime {
    pub(super) scripts: Scripts,
    calls: Vec<Call>,
    pub(super) aborted: bool,
    released: BTreeSet<String>,
    run_id: String,
    waits: u64,
}

struct Call {
    operation: OperationId,
    kind: Kind,
    acts: VecDeque<Act>,
    waiting: Waiting,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Prepare,
    Carry,
    Recover,
}

enum Waiting {
    Nothing,
    Gate(String),
    Abort,
    Announcement(Value),
    Emit { caught: bool },
    Decision { wait: WaitId, call_id: String },
    Forever,
}

impl Runtime {
    pub(super) fn new(scripts: Scripts) -> Self {
        Self {
            scripts,
            calls: Vec::new(),
            aborted: false,
            released: BTreeSet::new(),
            run_id: String::new(),
            waits: 0,
        }
    }

    /// The process died, and the runtime with it.
    pub(super) fn restart(&mut self) {
        self.calls.clear();
        self.aborted = false;
    }

    pub(super) fn prepare(&mut self, operation: OperationId, run_id: String) {
        let acts = self.scripts.prepare(&run_id);
        self.run_id = run_id;
        self.begin(operation, Kind::Prepare, acts);
    }

    pub(super) fn begin(&mut self, operation: OperationId, kind: Kind, acts: VecDeque<Act>) {
        self.calls.push(Call { operation, kind, acts, waiting: Waiting::Nothing });
    }

    pub(super) fn release(&mut self, gate: String) {
        self.released.insert(gate);
    }

    pub(super) fn answer_announcement(
        &mut self,
        operation: OperationId,
        answer: Result<(), Failure>,
    ) -> Option<Value> {
        let call = self.calls.iter_mut().find(|call| call.operation == operation)?;
        let Waiting::Announcement(handle) = std::mem::replace(&mut call.waiting, Waiting::Nothing) else {
            return None;
        };
        match answer {
            Ok(()) => Some(json!({ "call": "runtime.handle_recorded", "handle": handle })),
            Err(failure) => call.throw(failure),
        }
    }

    pub(super) fn answer_emit(&mut self, answer: Result<(), Failure>) -> Option<Value> {
        let call = self.calls.iter_mut().find(|call| matches!(call.waiting, Waiting::Emit { .. }))?;
        let caught = matches!(call.waiting, Waiting::Emit { caught: true });
        call.waiting = Waiting::Nothing;
        match answer {
            answer if caught => Some(json!({ "call": "runtime.emit", "refused": answer.is_err() })),
            Ok(()) => None,
            Err(failure) => call.throw(failure),
        }
    }

    pub(super) fn answer_wait(&mut self, wait: WaitId, answer: Result<bool, Failure>) -> Option<Value> {
        let waits =
            |call: &&mut Call| matches!(&call.waiting, Waiting::Decision { wait: own, .. } if *own == wait);
        let call = self.calls.iter_mut().find(waits)?;
        let Waiting::Decision { call_id, .. } = std::mem::replace(&mut call.waiting, Waiting::Nothing) else {
            return None;
        };
        match answer {
            Ok(allowed) => Some(json!({ "call": "runtime.approval", "callId": call_id, "allowed": allowed })),
            Err(failure) => call.throw(failure),
        }
    }

    /// Lets the first call that can go on do so, until it has something to say.
    pub(super) fn next(&mut self, log: &mut Vec<Value>) -> Option<Input> {
        for at in 0..self.calls.len() {
            while self.can_act(at, log) {
                let call = &mut self.calls[at];
                match call.acts.pop_front().unwrap_or(Act::Hang) {
                    Act::Gate(gate) => call.waiting = Waiting::Gate(gate),
                    Act::AwaitAbort => call.waiting = Waiting::Abort,
                    Act::Hang => call.waiting = Waiting::Forever,
                    Act::Throw(failure) => return Some(self.calls.remove(at).fail(failure)),
                    Act::Return(reply) => return Some(self.calls.remove(at).reply(reply)),
                    Act::Announce(handle) => {
                        call.waiting = Waiting::Announcement(handle.clone());
                        let operation = call.operation;
                        return Some(Input::HandleAnnounced { operation, handle: Handle::new(handle) });
                    }
                    Act::Emit { event, caught } => {
                        call.waiting = Waiting::Emit { caught };
                        match Event::new(event) {
                            Ok(event) => return Some(Input::Emitted(event)),
                            Err(_) => return Some(self.calls.remove(at).fail(Failure::unclassified())),
                        }
                    }
                    Act::Approve(call_id) => {
                        self.waits += 1;
                        let wait = WaitId(self.waits);
                        call.waiting = Waiting::Decision { wait, call_id: call_id.clone() };
                        return Some(Input::ApprovalWanted { wait, run_id: self.run_id.clone(), call_id });
                    }
                }
            }
        }
        None
    }

    fn can_act(&mut self, at: usize, log: &mut Vec<Value>) -> bool {
        let call = &mut self.calls[at];
        match &call.waiting {
            Waiting::Nothing => return true,
            Waiting::Gate(gate) if self.released.contains(gate) => {}
            Waiting::Abort if self.aborted => log.push(json!({ "call": "runtime.saw_abort" })),
            _ => return false,
        }
        call.waiting = Waiting::Nothing;
        true
    }
}

impl Call {
    /// The answer was a failure that the script does not catch.
    fn throw(&mut self, failure: Failure) -> Option<Value> {
        self.acts.push_front(Act::Throw(failure));
        None
    }

    fn fail(self, failure: Failure) -> Input {
        match self.kind {
            Kind::Prepare => Input::Prepared(self.operation, Outcome::Failed(failure)),
            Kind::Carry => Input::Ended(self.operation, Outcome::Failed(failure)),
            Kind::Recover => Input::Recovered(self.operation, Outcome::Failed(failure)),
        }
    }

    fn reply(self, reply: Value) -> Input {
        match self.kind {
            Kind::Prepare => Input::Prepared(self.operation, Outcome::Ok(Accepted::new(reply))),
            Kind::Carry => Input::Ended(self.operation, Outcome::Ok(last(&reply))),
            Kind::Recover => Input::Recovered(self.operation, Outcome::Ok(())),
        }
    }
}

fn last(snapshot: &Value) -> Final {
    Final {
        status: RunStatus::deserialize(&snapshot["status"]).unwrap_or(RunStatus::Running),
        cancel_requested: snapshot["cancelRequested"] == true,
        error: snapshot.get("error").map(Failure::value),
        exhausted: snapshot.get("exhausted").cloned(),
    }
}
