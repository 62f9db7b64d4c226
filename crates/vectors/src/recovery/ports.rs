use super::{
    script::{Entry, Scripts},
    world::{Gated, World},
};
use holdover_machine::{Outcome, Ports, Secret, Timestamp};
use holdover_recovery::{
    Answer, Effect, EventIds, Input, Inspection, Pass, PassError, Receipt, Recording, Summary, UnknownReason,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The ports as one pass sees them. A pass has one call outstanding at most, so there is one answer at most.
pub(super) struct PassPorts<'a> {
    world: &'a mut World,
    pass: usize,
    ready: Option<Input>,
    pub(super) result: Option<Result<Summary, PassError>>,
}

impl<'a> PassPorts<'a> {
    pub(super) fn new(world: &'a mut World, pass: usize) -> Self {
        Self { world, pass, ready: None, result: None }
    }

    pub(super) fn answer(&mut self, input: Input) {
        self.ready = Some(input);
    }

    /// Takes the call's entry from its script and writes the call down.
    fn arrive(&mut self, effect: &Effect) -> Entry {
        let scripts = &mut self.world.scripts;
        let entry = match effect {
            Effect::List { .. } => scripts.list.pop_front().unwrap_or_default(),
            Effect::Load { .. } => scripts.load.pop_front().unwrap_or_default(),
            Effect::Wait(_) => scripts.wait.pop_front().unwrap_or_default(),
            Effect::Process { attempt_id } => Scripts::next(&mut scripts.process, attempt_id),
            Effect::Recover(command) => Scripts::next(&mut scripts.recover, &command.attempt.id),
            Effect::RecordRunning(command) => Scripts::next(&mut scripts.record_running, &command.attempt.id),
            Effect::Inspect { executor_handle } => {
                Scripts::next(&mut scripts.inspect, executor_handle.expose())
            }
            Effect::DrawIds | Effect::Finish(_) => Entry::default(),
        };
        self.world.calls.extend(call(effect, entry.throw.is_some()));
        entry
    }

    /// Answers a call whose time has come.
    pub(super) fn complete(&mut self, effect: Effect, mut entry: Entry) {
        if let Effect::Wait(span) = &effect {
            self.world.clock = self.world.clock + *span;
        }
        self.world.apply(&entry.effects);
        let throw = entry.throw.take();
        let input = match effect {
            Effect::List { .. } => {
                let page = entry.page.take();
                let page = page.map_or_else(|| self.world.repository.page(), Ok);
                Input::Listed(outcome(throw, page))
            }
            Effect::Load { run_id, attempt_id } => {
                Input::Loaded(outcome(throw, self.world.repository.load(&run_id, &attempt_id).map(Box::new)))
            }
            Effect::Process { .. } => {
                Input::Processed(outcome(throw, scripted(&entry).unwrap_or(Ok(Receipt::Missing))))
            }
            Effect::Recover(command) if throw.is_none() => {
                let reply = scripted(&entry).unwrap_or_else(|| self.world.repository.recover(&command));
                Input::Recovered(outcome(None, reply))
            }
            Effect::Recover(_) => Input::Recovered(failed(throw)),
            Effect::RecordRunning(command) if throw.is_none() => {
                let reply = match &entry.reply {
                    Some(reply) => Ok(if reply == "applied" { Ok(()) } else { Err("scripted") }),
                    None => self.world.repository.record_running(&command),
                };
                let reply = reply.map(|reply| reply.map_or(Recording::Rejected, |()| Recording::Applied));
                Input::Recorded(outcome(None, reply))
            }
            Effect::RecordRunning(_) => Input::Recorded(failed(throw)),
            Effect::Inspect { .. } => {
                let default = Inspection::Unknown { reason: UnknownReason::InvalidHandle };
                Input::Inspected(outcome(throw, scripted(&entry).unwrap_or(Ok(default))))
            }
            Effect::Wait(_) => Input::Waited(outcome(throw, Ok(()))),
            Effect::DrawIds => Input::Drawn(Outcome::Ok(self.draw())),
            Effect::Finish(result) => {
                self.result = Some(result);
                return;
            }
        };
        self.answer(input);
    }

    fn draw(&mut self) -> EventIds {
        let mut id = || {
            self.world.event_ids += 1;
            format!("event-{}", self.world.event_ids)
        };
        EventIds { attempt_event: id(), step_mutation: id() }
    }
}

impl Ports<Pass> for PassPorts<'_> {
    fn now(&mut self) -> Timestamp {
        self.world.clock
    }

    fn perform(&mut self, effect: Effect) {
        let mut entry = self.arrive(&effect);
        self.world.apply(&std::mem::take(&mut entry.before));
        match entry.gate.take() {
            _ if entry.hang => {}
            Some(gate) => self.world.gated.push(Gated { gate, pass: self.pass, effect, entry }),
            None => self.complete(effect, entry),
        }
    }

    fn next(&mut self) -> Option<Input> {
        self.ready.take()
    }
}

/// The scripted answer, if there is one.
fn scripted<T: DeserializeOwned>(entry: &Entry) -> Option<Result<T, String>> {
    let reply = entry.reply.as_ref()?;
    Some(T::deserialize(reply).map_err(|error| format!("scripted reply {reply}: {error}")))
}

fn outcome<T>(throw: Option<String>, answer: Result<T, String>) -> Answer<T> {
    match throw.map_or(answer, Err) {
        Ok(answer) => Outcome::Ok(answer),
        Err(why) => Outcome::Failed(Secret::new(why)),
    }
}

fn failed<T>(throw: Option<String>) -> Answer<T> {
    Outcome::Failed(Secret::new(throw.unwrap_or_default()))
}

/// How a call is written down; drawing ids and finishing are no calls. A transaction that fails to begin does not
/// get as far as naming its records.
fn call(effect: &Effect, throws: bool) -> Option<Value> {
    Some(match effect {
        Effect::List { limit } => json!({ "call": "recovery.list", "limit": limit }),
        Effect::Load { .. } if throws => json!({ "call": "runs.load" }),
        Effect::Load { run_id, attempt_id } => {
            json!({ "call": "runs.load", "runId": run_id, "attemptId": attempt_id })
        }
        Effect::Process { attempt_id } => json!({ "call": "completions.process", "attemptId": attempt_id }),
        Effect::Recover(command) => {
            let mut call = json!({
                "call": "recovery.recover",
                "runId": command.run.id,
                "attemptId": command.attempt.id,
                "reason": command.reason.as_str(),
                "observedAtMs": command.observed_at,
                "runVersion": command.run.version,
                "attemptStatus": command.attempt.status,
                "callbackSequence": command.attempt.callback_sequence,
            });
            if let Some(handle) = &command.attempt.executor_handle {
                call["executorHandle"] = json!(handle.expose());
            }
            call
        }
        Effect::Inspect { executor_handle } => {
            json!({ "call": "inspector.inspect", "executorHandle": executor_handle.expose() })
        }
        Effect::RecordRunning(command) => json!({
            "call": "workflow_tasks.record_running",
            "runId": command.run.id,
            "attemptId": command.attempt.id,
            "runVersion": command.run.version,
            "executorHandle": command.executor_handle.expose(),
            "pid": command.pid,
            "callbackTokenHash": command.callback_token_hash.expose(),
            "startedAtMs": command.started_at,
            "attemptEventId": command.event_ids.attempt_event,
            "stepMutationId": command.event_ids.step_mutation,
        }),
        Effect::Wait(span) => json!({ "call": "wait", "ms": span }),
        Effect::DrawIds | Effect::Finish(_) => return None,
    })
}
