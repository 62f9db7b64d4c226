use holdover_machine::{Outcome, Timestamp};
use holdover_runs::{Effect, Failure, Input, Record};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// The durable record and the alarm, with scripted faults. They outlive every coordinator.
pub(super) struct Storage {
    pub(super) record: Option<Record>,
    pub(super) alarm: Option<Timestamp>,
    faults: VecDeque<Fault>,
    counts: BTreeMap<On, u64>,
    /// The operation that a gate holds back.
    gated: Option<(String, Effect)>,
}

/// What happens to the nth operation of its kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fault {
    on: On,
    nth: u64,
    fault: Option<Kind>,
    gate: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum On {
    Put,
    SetAlarm,
    DeleteAlarm,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Io,
    IoAfter,
    CrashBefore,
    CrashAfter,
}

/// An operation that ended: how it is written down, and its answer if the process lives to see one.
pub(super) struct Done {
    pub(super) call: Value,
    pub(super) answer: Option<Input>,
}

impl Storage {
    pub(super) fn new(record: Option<Record>, faults: VecDeque<Fault>) -> Self {
        Self { record, alarm: None, faults, counts: BTreeMap::new(), gated: None }
    }

    /// Carries an operation out, unless a gate holds it back.
    pub(super) fn perform(&mut self, effect: Effect) -> Option<Done> {
        let on = match effect {
            Effect::Put(_) => On::Put,
            Effect::SetAlarm(_) => On::SetAlarm,
            _ => On::DeleteAlarm,
        };
        let count = self.counts.entry(on).or_default();
        *count += 1;
        let fault = self.faults.iter().find(|fault| fault.on == on && fault.nth == *count);
        let (kind, gate) = fault.map_or((None, None), |fault| (fault.fault, fault.gate.clone()));
        match gate {
            None => Some(self.complete(effect, kind)),
            Some(gate) => {
                self.gated = Some((gate, effect));
                None
            }
        }
    }

    /// Carries out what the gate held back.
    pub(super) fn release(&mut self, gate: &str) -> Option<Done> {
        let (_, effect) = self.gated.take_if(|(held, _)| held == gate)?;
        Some(self.complete(effect, None))
    }

    /// The process is gone, and with it what it had not begun.
    pub(super) fn drop_gated(&mut self) {
        self.gated = None;
    }

    fn complete(&mut self, effect: Effect, fault: Option<Kind>) -> Done {
        let (outcome, answer) = match fault {
            None => ("ok", Some(Outcome::Ok(()))),
            Some(Kind::Io) => ("io_error", Some(Outcome::Failed(Failure::unclassified()))),
            Some(Kind::IoAfter) => ("io_error_after", Some(Outcome::Unknown(Failure::unclassified()))),
            Some(Kind::CrashBefore) => ("crash_before", None),
            Some(Kind::CrashAfter) => ("crash_after", None),
        };
        let mut call = self.call(&effect);
        call["outcome"] = json!(outcome);
        if !matches!(fault, Some(Kind::Io | Kind::CrashBefore)) {
            self.apply(effect);
        }
        Done { call, answer: answer.map(Input::Stored) }
    }

    fn call(&self, effect: &Effect) -> Value {
        match effect {
            Effect::Put(record) => json!({
                "call": "storage.put",
                "phase": record.phase,
                "revision": record.revision,
                "pending": record.pending,
                "acceptedUntil": record.accepted_until,
                "handle": record.handle,
                "snapshot": record.snapshot,
            }),
            Effect::SetAlarm(at) => json!({ "call": "storage.set_alarm", "at": at }),
            _ => json!({ "call": "storage.delete_alarm" }),
        }
    }

    fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::Put(record) => self.record = Some(*record),
            Effect::SetAlarm(at) => self.alarm = Some(at),
            _ => self.alarm = None,
        }
    }
}
