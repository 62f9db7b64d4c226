use super::{
    event::{HistoryEvent, Type},
    told::Told,
};
use serde_json::Value;
use std::{collections::BTreeMap, fmt};

/// An operation of a history: the question and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation<V = Value> {
    /// Who asked.
    pub process: u64,
    /// The operation.
    pub f: String,
    /// Where in the history it was asked for: the place of the event, or its line in a file.
    pub invoked: u64,
    /// Where in the history there was an answer; none for what may still be carried out.
    pub returned: Option<u64>,
    /// When it was asked for, in milliseconds.
    pub invoked_ms: i64,
    /// When there was an answer; none for what may still be carried out.
    pub returned_ms: Option<i64>,
    /// What came of it; [`Type::Info`] without an answer.
    pub outcome: Type,
    /// What was answered, or what was asked for where nothing was.
    pub value: V,
    /// Why it was refused, or not answered.
    pub error: Option<String>,
}

impl<V> Operation<V> {
    /// What was asked for at this place of a history, not yet answered.
    pub(super) fn invoked(place: u64, event: HistoryEvent<V>) -> Self {
        Self {
            process: event.process,
            f: event.f,
            invoked: place,
            returned: None,
            invoked_ms: milliseconds(event.time),
            returned_ms: None,
            outcome: Type::Info,
            value: event.value,
            error: None,
        }
    }

    /// What came of it, at this place of a history. The value stays for the caller to change.
    pub(super) fn answered(&mut self, place: u64, time: i64, outcome: Type, error: Option<String>) {
        self.outcome = outcome;
        self.error = error;
        if outcome != Type::Info {
            self.returned = Some(place);
            self.returned_ms = Some(milliseconds(time));
        }
    }

    /// The same operation with another value.
    pub(super) fn with<W>(&self, value: W) -> Operation<W> {
        let Self { process, invoked, returned, invoked_ms, returned_ms, outcome, .. } = *self;
        let (f, error) = (self.f.clone(), self.error.clone());
        Operation { process, f, invoked, returned, invoked_ms, returned_ms, outcome, value, error }
    }

    /// Whether it was carried out, as its asker was told.
    pub fn is_ok(&self) -> bool {
        self.outcome == Type::Ok
    }
}

impl Operation {
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

/// What it is: `claim of j1 as attempt 2`.
impl fmt::Display for Operation<Told> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.f)?;
        if let Some(job) = &self.value.job {
            write!(f, " of {job}")?;
        }
        if let Some(attempt) = self.value.attempt {
            write!(f, " as attempt {attempt}")?;
        }
        Ok(())
    }
}

/// The operations of a history, in the order in which they were asked for. An answer belongs to the last question of
/// its process; one without a question is left out.
pub fn operations(events: &[HistoryEvent]) -> Vec<Operation> {
    let mut operations: Vec<Operation> = Vec::new();
    let mut open: BTreeMap<u64, usize> = BTreeMap::new();
    for (place, event) in (0..).zip(events) {
        if event.kind == Type::Invoke {
            open.insert(event.process, operations.len());
            operations.push(Operation::invoked(place, event.clone()));
        } else if let Some(asked) = open.remove(&event.process) {
            let operation = &mut operations[asked];
            operation.answered(place, event.time, event.kind, event.error.clone());
            if event.kind == Type::Ok {
                operation.value = event.value.clone();
            }
        }
    }
    operations
}

fn milliseconds(nanoseconds: i64) -> i64 {
    nanoseconds.div_euclid(1_000_000)
}
