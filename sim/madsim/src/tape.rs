use crate::fault::DUPLICATE;
use crate::jobs::INVARIANTS;
use holdover::history::{HistoryEvent, HistoryReport, Type};
use holdover::{Line, Mark, Observer};
use holdover_machine::StoreTime;
use holdover_sim_node::{CallError, SystemClock, Watch};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Everything that is noted of a run: the history, what was counted, and what was found.
pub(crate) struct Tape {
    begin_ms: i64,
    notes: Mutex<Notes>,
}

/// What a tape holds.
pub(crate) struct Notes {
    pub(crate) history: Vec<HistoryEvent>,
    pub(crate) observer: Observer,
    pub(crate) report: HistoryReport,
    /// The arguments of each request.
    asked: Vec<(String, Value)>,
    /// Requests by what makes two of them the same.
    seen: BTreeSet<String>,
}

impl Tape {
    /// An empty tape, whose time begins now.
    pub(crate) fn new(observer: Observer) -> Self {
        let (history, asked, seen) = (Vec::new(), Vec::new(), BTreeSet::new());
        let notes = Notes { history, observer, report: HistoryReport::default(), asked, seen };
        Self { begin_ms: SystemClock::store_time().ms(), notes: Mutex::new(notes) }
    }

    /// Milliseconds since the run began.
    pub(crate) fn now_ms(&self) -> i64 {
        SystemClock::store_time().ms() - self.begin_ms
    }

    /// The store's time when the run began.
    pub(crate) fn begin(&self) -> StoreTime {
        StoreTime::from_ms(self.begin_ms)
    }

    pub(crate) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something that the digest depends on, at this time.
    pub(crate) fn event(&self, bits: u64) {
        let now = self.now_ms().unsigned_abs();
        let mut notes = self.notes();
        notes.observer.event(now);
        notes.observer.event(bits);
    }

    pub(crate) fn tell(&self, node: &str, text: impl FnOnce() -> String) {
        self.line(node, Mark::Plain, text);
    }

    /// A fault of this kind has happened to a node.
    pub(crate) fn fault(&self, kind: usize, node: &str, text: &str) {
        self.event(kind as u64);
        self.notes().observer.fault(kind);
        self.line(node, Mark::Fault, || text.to_owned());
    }

    pub(crate) fn expect(
        &self,
        rule: &'static str,
        holds: bool,
        seen: impl FnOnce() -> (String, Vec<String>),
    ) {
        let now = self.now_ms();
        self.notes().report.expect(rule, holds, now, seen);
    }

    fn line(&self, node: &str, mark: Mark, text: impl FnOnce() -> String) {
        let at_ms = self.now_ms();
        self.notes().observer.narrate(|| Line { at_ms, step: 0, node: node.to_owned(), text: text(), mark });
    }

    fn note(&self, process: u64, kind: Type, f: &str, value: Value, error: Option<String>) {
        let time = self.now_ms() * 1_000_000;
        self.event(process << 3 | kind as u64);
        let mut notes = self.notes();
        let index = notes.history.len() as u64;
        notes.history.push(HistoryEvent { index, time, process, kind, f: f.to_owned(), value, error });
    }
}

/// Each request is a process of the history: it asks once.
impl Watch for Tape {
    fn sent(&self, operation: &str, arguments: &Value) -> u64 {
        let mut notes = self.notes();
        let request = notes.asked.len() as u64;
        notes.asked.push((operation.to_owned(), arguments.clone()));
        let same = match arguments.get("claimNumber").or_else(|| arguments.get("attempt")) {
            Some(number) => {
                format!("{operation} {number} {} {}", arguments["incarnation"], arguments["jobId"])
            }
            None => {
                format!("{operation} {}", arguments.pointer("/input/jobId").unwrap_or(&arguments["jobId"]))
            }
        };
        let writes = matches!(operation, "create" | "cancel" | "claim" | "start" | "complete" | "fail");
        if writes && !notes.seen.insert(same) {
            notes.observer.fault(DUPLICATE);
        }
        drop(notes);
        self.note(request, Type::Invoke, operation, value_of(arguments, &Value::Null), None);
        request
    }

    fn ended(&self, request: u64, outcome: &Result<Value, CallError>) {
        let asked = self.notes().asked.get(request as usize).cloned();
        let Some((operation, arguments)) = asked else { return };
        let (kind, answer, error) = match outcome {
            Ok(answer) => (Type::Ok, answer, None),
            Err(error) if error.is_unknown() => (Type::Info, &Value::Null, Some(error.to_string())),
            Err(error) => (Type::Fail, &Value::Null, Some(error.to_string())),
        };
        let value = value_of(&arguments, answer);
        let mark = if kind == Type::Ok { Mark::Plain } else { Mark::Refused };
        if operation != "stats" && !(operation == "claim" && answer.is_null() && kind == Type::Ok) {
            let who = arguments.get("workerId").and_then(Value::as_str).unwrap_or("client").to_owned();
            self.line(&who, mark, || format!("{operation} {value}: {}", error.as_deref().unwrap_or("ok")));
        }
        if kind == Type::Ok && matches!(&*operation, "create" | "cancel" | "getJob") {
            let shown =
                ["/job/lease/token", "/lease/token"].iter().any(|path| answer.pointer(path).is_some());
            self.expect("no-secret", !shown, || {
                let job = value["job"].as_str().unwrap_or("a job").to_owned();
                (format!("the answer to {operation} of {job} shows its lease token to a client"), vec![job])
            });
        }
        self.note(request, kind, &operation, value, error);
    }
}

/// What the history says of a request and its answer: never a token.
fn value_of(arguments: &Value, answer: &Value) -> Value {
    let first =
        |paths: [&Value; 3]| paths.into_iter().find(|value| !value.is_null()).cloned().unwrap_or_default();
    let standing = answer.get("standing").unwrap_or(&Value::Null);
    let at = |value: &Value, path: &str| value.pointer(path).cloned().unwrap_or_default();
    let mut value = json!({
        "job": first([&at(arguments, "/jobId"), &at(arguments, "/input/jobId"), &at(answer, "/job/jobId")]),
        "attempt": first([&at(arguments, "/attempt"), &at(standing, "/attempt"), &Value::Null]),
        "worker": at(arguments, "/incarnation"),
        "name": at(arguments, "/workerId"),
        "number": at(arguments, "/claimNumber"),
        "remaining_ms": at(standing, "/remainingMs"),
        "replayed": at(standing, "/replayed"),
        "created": at(answer, "/created"),
    });
    if let Value::Object(members) = &mut value {
        members.retain(|_, member| !member.is_null());
    }
    value
}

impl Notes {
    /// What the rules have found becomes part of the run: how often each could have failed is counted.
    pub(crate) fn count_rules(&mut self) {
        for (rule, &checked) in &self.report.checked {
            let Some(place) = INVARIANTS.iter().position(|info| info.id == *rule) else { continue };
            (0..checked).for_each(|_| self.observer.could_fail(place));
        }
    }
}
