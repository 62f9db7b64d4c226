use super::{
    input::{read, time, with, written},
    script::{Entry, Status},
    world::{Process, World},
};
use crate::FormatError;
use holdover_machine::{Ports, Secret, Timestamp};
use holdover_offers::{
    Activation, Call, CompletionCapability, Context, Effect, ExecutionSpec, Fence, Handle, Input, Lease,
    OfferId, Prepared, Receiver, Reply, Start, Text, refusal,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};

/// A call that has arrived and is not answered yet.
pub(super) struct Waiting {
    offer_id: OfferId,
    entry: Entry,
    answer: Answer,
}

/// What is needed to answer a call besides its script.
enum Answer {
    Activation { attempt_id: Text, version: u64 },
    Prepared,
    Start(Box<Handle>),
    Stop(Text),
}

impl Ports<Receiver> for World {
    fn now(&mut self) -> Timestamp {
        self.clock
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Call { offer_id, call } => self.call(offer_id, call),
            Effect::Answer { delivery, result } => self.answers.push((delivery, result)),
        }
    }

    fn next(&mut self) -> Option<Input> {
        self.inputs.pop_front()
    }
}

impl World {
    pub(super) fn reply(&mut self, offer_id: OfferId, reply: Reply) {
        self.inputs.push_back(Input::Reply { offer_id, reply });
    }

    fn call(&mut self, offer_id: OfferId, call: Call) {
        match call {
            Call::Read => self.read(offer_id),
            Call::Create(record) => self.create(offer_id, *record),
            Call::Replace { record, expected } => self.replace(offer_id, *record, expected),
            Call::AcknowledgeStarting(fence) => {
                let command = written(&fence);
                self.command(offer_id, "acknowledge_starting", &fence, command, |world| {
                    &mut world.scripts.starting
                });
            }
            Call::AcknowledgeRunning(command) => {
                let fence = &command.fence;
                let command = written(&command);
                self.command(offer_id, "acknowledge_running", fence, command, |world| {
                    &mut world.scripts.running
                });
            }
            Call::FailStart(fence) => {
                let command = written(&fence);
                self.command(offer_id, "fail_start", &fence, command, |world| &mut world.scripts.fail_start);
            }
            Call::Prepare(offer) => {
                let version = offer.lease.version;
                self.calls.push(
                    json!({ "call": "contexts.prepare", "offerId": offer_id, "leaseVersion": version }),
                );
                self.scripted(offer_id, |world| &mut world.scripts.prepare, |_, _| Answer::Prepared);
            }
            Call::Start { spec, .. } => self.start(offer_id, &spec),
            Call::Stop { handle, requested_at } => {
                self.calls.push(json!({
                    "call": "executor.stop", "handleId": handle.id, "reasonKind": "reconcile",
                    "requestedAtMs": requested_at,
                }));
                self.scripted(offer_id, |world| &mut world.scripts.stop, |_, _| Answer::Stop(handle.id));
            }
            Call::FindLease(attempt_id) => {
                let found = self.tracked.iter().find(|lease| lease.attempt_id == attempt_id).cloned();
                self.reply(offer_id, Reply::Lease(found.map(Box::new)));
            }
            Call::Track(lease) => self.try_to_track(offer_id, *lease),
            Call::Untrack(attempt_id) => {
                self.calls.push(json!({ "call": "tracker.untrack", "attemptId": attempt_id }));
                self.tracked.retain(|lease| lease.attempt_id != attempt_id);
                self.reply(offer_id, Reply::Untracked);
            }
        }
    }

    /// Takes the next entry of a port's script; `arrive` is what the call does as soon as it arrives.
    fn scripted(
        &mut self,
        offer_id: OfferId,
        script: impl Fn(&mut Self) -> &mut VecDeque<Entry>,
        arrive: impl FnOnce(&mut Self, &Entry) -> Answer,
    ) {
        let entry = script(self).pop_front().unwrap_or_default();
        let answer = arrive(self, &entry);
        self.apply(&entry.before);
        let gate = entry.gate.clone();
        let waiting = Waiting { offer_id, entry, answer };
        match gate {
            _ if waiting.entry.hang => {}
            Some(gate) => self.gated.push((gate, waiting)),
            None => self.complete(waiting),
        }
    }

    /// Answers a call as its script says.
    pub(super) fn complete(&mut self, waiting: Waiting) {
        let Waiting { offer_id, entry, answer } = waiting;
        let reply = match answer {
            Answer::Activation { attempt_id, version } => self.activation(&entry, &attempt_id, version),
            Answer::Prepared => prepared(&entry),
            Answer::Start(handle) => started(&entry, &handle),
            Answer::Stop(handle_id) => {
                if entry.throw.is_none() {
                    self.end(&handle_id);
                }
                Ok(Reply::Stopped)
            }
        };
        match reply {
            Ok(reply) => self.reply(offer_id, reply),
            Err(error) => self.malformed = Some(error.to_string()),
        }
    }

    fn command(
        &mut self,
        offer_id: OfferId,
        name: &str,
        fence: &Fence,
        command: Value,
        script: impl Fn(&mut Self) -> &mut VecDeque<Entry>,
    ) {
        let name = Map::from_iter([("call".to_owned(), json!(format!("activation.{name}")))]);
        self.calls.push(with(command, &name));
        let (attempt_id, version) = (fence.attempt_id.clone(), fence.expected_lease_version);
        self.scripted(offer_id, script, |_, _| Answer::Activation { attempt_id, version });
    }

    fn activation(&self, entry: &Entry, attempt_id: &Text, version: u64) -> Result<Reply, FormatError> {
        if let Some(reason) = entry.reject {
            return Ok(Reply::Activation(Activation::Rejected(reason)));
        }
        if let Some(label) = &entry.throw {
            return Ok(Reply::Activation(Activation::Failed(Secret::new(label.as_str().into()))));
        }
        let lease = Box::new(self.acknowledged_lease(attempt_id, version, &entry.lease)?);
        Ok(Reply::Activation(Activation::Acknowledged { status: Status::or_applied(entry.status), lease }))
    }

    fn try_to_track(&mut self, offer_id: OfferId, lease: Lease) {
        let refused = refusal(&lease, self.tracked.iter(), self.session.as_deref(), self.clock);
        self.calls.push(json!({
            "call": "tracker.track", "attemptId": lease.attempt_id, "leaseVersion": lease.version,
            "outcome": refused.map_or(json!("ok"), |refusal| json!(refusal)),
        }));
        if refused.is_none() {
            self.track(lease);
        }
        self.reply(offer_id, Reply::Tracked(refused.map_or(Ok(()), Err)));
    }

    /// A start spawns its process when it arrives, unless it fails cleanly.
    fn start(&mut self, offer_id: OfferId, spec: &ExecutionSpec) {
        self.calls
            .push(json!({ "call": "executor.start", "runId": spec.run_id, "attemptId": spec.attempt_id }));
        self.scripted(
            offer_id,
            |world| &mut world.scripts.start,
            |world, entry| {
                let id = format!("p{}", world.processes.len() + 1);
                let handle = Handle {
                    id: id.as_str().into(),
                    durable_handle: Some(format!("local-process:{id}").as_str().into()),
                    executor_type: world.executor_type.clone(),
                    run_id: spec.run_id.clone(),
                    attempt_id: spec.attempt_id.clone(),
                    started_at: world.clock,
                };
                if entry.throw.is_none() || entry.spawned {
                    let attempt_id = spec.attempt_id.clone();
                    world.processes.push(Process { id, attempt_id, running: true });
                }
                Answer::Start(Box::new(handle))
            },
        );
    }

    fn end(&mut self, handle_id: &str) {
        let ended = self.processes.iter_mut().filter(|process| process.id == handle_id);
        ended.for_each(|process| process.running = false);
    }
}

/// A prepared context. Without an entry it has the capability and the log that the format describes.
fn prepared(entry: &Entry) -> Result<Reply, FormatError> {
    if entry.throw.is_some() {
        return Ok(Reply::Prepared(None));
    }
    let completion = match &entry.callback {
        None => Some(capability("completion_capability_token_0123456789abcdef", 1)),
        Some(Value::Null) => None,
        Some(callback) => {
            // What is no sequence at all is as wrong as the smallest one, and likewise for the token.
            let sequence = callback["callbackSequence"].as_u64().unwrap_or(0);
            Some(capability(callback["token"].as_str().unwrap_or_default(), sequence))
        }
    };
    let log_artifact_id = match &entry.log_artifact_id {
        None => Some("artifact-1".into()),
        Some(value) => read("$.ports.prepare.log_artifact_id", value)?,
    };
    let environment = Secret::new(BTreeMap::new());
    let context = Context { environment, output: "sink".into(), completion };
    Ok(Reply::Prepared(Some(Box::new(Prepared { context, log_artifact_id }))))
}

fn capability(token: &str, callback_sequence: u64) -> CompletionCapability {
    CompletionCapability { token: Secret::new(token.into()), callback_sequence }
}

fn started(entry: &Entry, handle: &Handle) -> Result<Reply, FormatError> {
    if entry.throw.is_some() {
        return Ok(Reply::Start(if entry.spawned { Start::Unknown } else { Start::Failed }));
    }
    let whole = json!({
        "id": handle.id, "durableHandle": handle.durable_handle, "executorType": handle.executor_type,
        "runId": handle.run_id, "attemptId": handle.attempt_id, "startedAtMs": handle.started_at,
    });
    let mut members = with(whole, &entry.handle);
    for name in &entry.handle_unset {
        members[name] = Value::Null;
    }
    // A member that is missing is as wrong as an empty one; only the durable handle may be missing.
    let text = |name: &str| Text::from(members[name].as_str().unwrap_or_default());
    let handle = Handle {
        id: text("id"),
        durable_handle: read("$.ports.start.handle.durableHandle", &members["durableHandle"])?,
        executor_type: text("executorType"),
        run_id: text("runId"),
        attempt_id: text("attemptId"),
        started_at: time(&members["startedAtMs"]),
    };
    Ok(Reply::Start(Start::Started(Box::new(handle))))
}
