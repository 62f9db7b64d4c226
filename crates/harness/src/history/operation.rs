use super::event::{HistoryEvent, Type};
use serde_json::Value;
use std::collections::BTreeMap;

/// An operation of a history: the question and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Who asked.
    pub process: u64,
    /// The operation.
    pub f: String,
    /// When it was asked for, in milliseconds.
    pub invoked_ms: i64,
    /// When there was an answer; none for what may still be carried out.
    pub returned_ms: Option<i64>,
    /// What came of it; [`Type::Info`] without an answer.
    pub outcome: Type,
    /// What was answered, or what was asked for where nothing was.
    pub value: Value,
    /// Why it was refused, or not answered.
    pub error: Option<String>,
}

impl Operation {
    /// Whether it was carried out, as its asker was told.
    pub fn is_ok(&self) -> bool {
        self.outcome == Type::Ok
    }

    /// Whether its answer was there before `other` was asked for.
    pub fn is_before(&self, other: &Self) -> bool {
        self.returned_ms.is_some_and(|returned| returned < other.invoked_ms)
    }

    /// A member of its value as text.
    pub fn text(&self, member: &str) -> Option<&str> {
        self.value.get(member)?.as_str()
    }

    /// A member of its value as a number.
    pub fn number(&self, member: &str) -> Option<i64> {
        self.value.get(member)?.as_i64()
    }

    /// A member of its value as a flag, false where it is not there.
    pub fn flag(&self, member: &str) -> bool {
        self.value.get(member).and_then(Value::as_bool).unwrap_or(false)
    }
}

/// The operations of a history, in the order in which they were asked for. An answer belongs to the last question of
/// its process; one without a question is left out.
pub fn operations(events: &[HistoryEvent]) -> Vec<Operation> {
    let mut operations: Vec<Operation> = Vec::new();
    let mut open: BTreeMap<u64, usize> = BTreeMap::new();
    for event in events {
        let at_ms = event.time.div_euclid(1_000_000);
        if event.kind == Type::Invoke {
            open.insert(event.process, operations.len());
            operations.push(Operation {
                process: event.process,
                f: event.f.clone(),
                invoked_ms: at_ms,
                returned_ms: None,
                outcome: Type::Info,
                value: event.value.clone(),
                error: None,
            });
        } else if let Some(place) = open.remove(&event.process) {
            let operation = &mut operations[place];
            operation.outcome = event.kind;
            operation.error = event.error.clone();
            if event.kind != Type::Info {
                operation.returned_ms = Some(at_ms);
            }
            if event.kind == Type::Ok {
                operation.value = event.value.clone();
            }
        }
    }
    operations
}
