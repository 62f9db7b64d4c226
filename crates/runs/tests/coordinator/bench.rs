//! A coordinator with storage that answers at once, and a log of everything that it wants.

use holdover_machine::{Machine, Outcome, Secret, Timestamp};
use holdover_runs::{
    Accepted, Contract, Coordinator, Effect, ErrorCode, Event, Failure, Final, Handle, Identity, Input,
    OperationId, Record, Request, RequestId, Rules, RunStatus, WaitId,
};
use serde_json::{Value, json};
use std::collections::VecDeque;

pub(crate) const NOW: Timestamp = Timestamp::from_ms(1_000);
/// When an acceptance at [`NOW`] runs out.
pub(crate) const DEADLINE: Timestamp = Timestamp::from_ms(31_000);
/// `{"user":"ann","session":"s1"}`
pub(crate) const ANN: &str = "eyJ1c2VyIjoiYW5uIiwic2Vzc2lvbiI6InMxIn0";

pub(crate) const CONTRACT: Contract = Contract {
    identity: |value| {
        let text = |member: &str| value.get(member)?.as_str().map(str::to_owned);
        Some(Identity { owner_key: text("user")?, session_id: text("session")? })
    },
    is_request: Value::is_string,
};

pub(crate) struct Bench {
    pub(crate) coordinator: Coordinator,
    pub(crate) stored: Option<Record>,
    pub(crate) log: Vec<String>,
    /// The operation that the runtime was asked for last.
    pub(crate) operation: OperationId,
    requests: u64,
}

impl Bench {
    /// A coordinator that has looked at `stored`.
    pub(crate) fn new(stored: Option<Record>) -> Self {
        let mut bench = Self {
            coordinator: Coordinator::new(Rules::original(), CONTRACT, 1),
            stored,
            log: Vec::new(),
            operation: OperationId(0),
            requests: 0,
        };
        bench.feed(NOW, Input::Start);
        bench
    }

    /// Feeds an input, and after it the answers of storage.
    pub(crate) fn feed(&mut self, now: Timestamp, input: Input) {
        let mut ready = VecDeque::from([input]);
        while let Some(input) = ready.pop_front() {
            let mut effects = Vec::new();
            self.coordinator.handle(now, input, &mut effects);
            for effect in effects {
                self.log.extend(self.note(&effect));
                ready.extend(self.perform(effect));
            }
        }
    }

    fn perform(&mut self, effect: Effect) -> Option<Input> {
        match effect {
            Effect::Load => {
                return Some(Input::Loaded(Outcome::Ok(self.stored.clone().map(Box::new))));
            }
            Effect::Put(record) => self.stored = Some(*record),
            Effect::SetAlarm(_) | Effect::DeleteAlarm => {}
            Effect::Prepare { operation, .. }
            | Effect::Execute(operation)
            | Effect::Abandon(operation)
            | Effect::Recover { operation, .. } => {
                self.operation = operation;
                return None;
            }
            _ => return None,
        }
        Some(Input::Stored(Outcome::Ok(())))
    }

    /// How the tables name an effect; reading the record and answering an event are no news.
    fn note(&self, effect: &Effect) -> Option<String> {
        Some(match effect {
            Effect::Load | Effect::AnswerEmit(Ok(())) => return None,
            Effect::Put(record) => format!("W {}", change(self.stored.as_ref(), record)),
            Effect::SetAlarm(_) => "set alarm".into(),
            Effect::DeleteAlarm => "delete alarm".into(),
            Effect::Prepare { .. } => "prepare".into(),
            Effect::AnswerAnnouncement(_, answer) => told("announced", answer),
            Effect::Abort => "abort".into(),
            Effect::Execute(_) => "execute".into(),
            Effect::Abandon(_) => "abandon".into(),
            Effect::Recover { .. } => "recover".into(),
            Effect::AnswerEmit(answer) => told("emitted", answer),
            Effect::AnswerWait(_, Ok(true)) => "allowed".into(),
            Effect::AnswerWait(_, Ok(false)) => "denied".into(),
            Effect::AnswerWait(_, answer) => told("decided", &answer.map(|_| ())),
            Effect::Respond(_, response) => format!("answer {}", response.status),
            Effect::OpenStream(_) => "answer stream".into(),
            Effect::Frame(_, frame) if frame.contains("\"kind\":\"end\"") => "end frame".into(),
            Effect::Frame(..) => "frame".into(),
            Effect::CloseStream(_) => "close".into(),
            Effect::AnswerAlarm(_, answer) => told("alarm", answer),
            Effect::ReportFailure(code) => format!("report {code:?}"),
        })
    }

    /// What was logged since the last look.
    pub(crate) fn take_log(&mut self) -> String {
        std::mem::take(&mut self.log).join("; ")
    }

    /// Where the stored run stands, by its name in records.
    pub(crate) fn phase(&self) -> String {
        self.stored.as_ref().map_or("none".into(), |record| word(&json!(record.phase)))
    }

    pub(crate) fn request(&mut self, method: &str, path: &str, body: &str) -> RequestId {
        self.requests += 1;
        let id = RequestId(self.requests);
        self.feed(NOW, Input::Requested { id, request: request(method, path, ANN, body) });
        id
    }

    pub(crate) fn accept(&mut self) -> RequestId {
        self.request(
            "POST",
            "/accept",
            r#"{"runId":"run","actor":{"user":"ann","session":"s1"},"request":"hello"}"#,
        )
    }

    pub(crate) fn announce(&mut self) {
        let handle = Handle::new(json!({ "conversationId": "c", "turnId": "t" }));
        self.feed(NOW, Input::HandleAnnounced { operation: self.operation, handle });
    }

    pub(crate) fn prepared(&mut self) {
        let accepted = Accepted::new(json!({ "runId": "run", "conversationId": "c", "turnId": "t" }));
        self.feed(NOW, Input::Prepared(self.operation, Outcome::Ok(accepted)));
    }

    pub(crate) fn preparation_failed(&mut self) {
        self.feed(
            NOW,
            Input::Prepared(self.operation, Outcome::Failed(Failure::classified(ErrorCode::Upstream))),
        );
    }

    pub(crate) fn ended(&mut self, status: RunStatus) {
        let last = Final { status, cancel_requested: false, error: None, exhausted: None };
        self.feed(NOW, Input::Ended(self.operation, Outcome::Ok(last)));
    }

    pub(crate) fn failed(&mut self) {
        self.feed(NOW, Input::Ended(self.operation, Outcome::Failed(Failure::unclassified())));
    }

    pub(crate) fn recovered(&mut self) {
        self.feed(NOW, Input::Recovered(self.operation, Outcome::Ok(())));
    }

    pub(crate) fn subscribe(&mut self) -> RequestId {
        self.request("GET", "/events", "")
    }

    pub(crate) fn cancel(&mut self) {
        self.request("POST", "/cancel", "");
    }

    pub(crate) fn decide(&mut self) {
        self.request("POST", "/approval", r#"{"callId":"k","decision":"allow"}"#);
    }

    pub(crate) fn alarm(&mut self, now: Timestamp) {
        self.feed(now, Input::Alarm(RequestId(0)));
    }

    pub(crate) fn emit(&mut self, event: Value) {
        self.feed(NOW, Input::Emitted(Event::new(event).expect("an event")));
    }

    pub(crate) fn emit_approval(&mut self) {
        self.emit(json!({ "kind": "approval_required", "callId": "k" }));
    }

    pub(crate) fn want_approval(&mut self) {
        self.feed(NOW, Input::ApprovalWanted { wait: WaitId(1), run_id: "run".into(), call_id: "k".into() });
    }
}

pub(crate) fn request(method: &str, path: &str, identity: &str, body: &str) -> Request {
    Request {
        method: method.into(),
        path: path.into(),
        identity: Some(Secret::new(identity.into())),
        has_last_event_id: false,
        body: Secret::new(body.into()),
    }
}

/// What a write changes, by its most important part.
fn change(before: Option<&Record>, after: &Record) -> String {
    let Some(before) = before.filter(|before| before.phase == after.phase) else {
        return word(&json!(after.phase));
    };
    if before.snapshot.cancel_requested != after.snapshot.cancel_requested {
        return "cancel requested".into();
    }
    if before.handle != after.handle {
        return "handle".into();
    }
    match (&before.pending, &after.pending) {
        (None, Some(_)) => "pending".into(),
        (Some(_), None) => "cleared".into(),
        _ => "unchanged".into(),
    }
}

fn told(what: &str, answer: &Result<(), Failure>) -> String {
    match answer {
        Ok(()) => what.into(),
        Err(failure) => format!("{what}: {}", word(&json!(failure.code()))),
    }
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
