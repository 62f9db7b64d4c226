use super::{
    clients::Clients,
    contract::CONTRACT,
    runtime::{Kind, Runtime},
    scenario::{Start, Step},
    storage::{Done, Storage},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use holdover_machine::{Outcome, Ports, Secret, Timestamp, drive};
use holdover_runs::{Coordinator, Effect, Input, Request, RequestId, Rules};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};

/// The coordinator and everything around it.
pub(super) struct World {
    coordinator: Coordinator,
    outside: Outside,
}

/// What the coordinator sees of the world.
struct Outside {
    clock: Timestamp,
    storage: Storage,
    runtime: Runtime,
    clients: Clients,
    ready: VecDeque<Input>,
    calls: Vec<Value>,
    /// Signals whose clients have gone away.
    gone: BTreeSet<String>,
    /// Every record, answer and frame, to look for secrets.
    shown: Vec<String>,
}

impl World {
    pub(super) fn new(start: Start) -> Self {
        let outside = Outside {
            clock: Timestamp::from_ms(start.clock_ms),
            storage: Storage::new(start.storage, start.ports.storage),
            runtime: Runtime::new(start.ports.runtime),
            clients: Clients::default(),
            ready: VecDeque::new(),
            calls: Vec::new(),
            gone: BTreeSet::new(),
            shown: Vec::new(),
        };
        let mut world = Self { coordinator: coordinator(), outside };
        world.feed(Input::Start);
        world
    }

    /// One step, and everything that can run after it.
    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Accept { id, body, raw, signal } => {
                let body = raw.unwrap_or_else(|| body.unwrap_or_default().to_string());
                let id = self.outside.clients.add(id, signal.clone(), None);
                self.request(id, request("POST", "/accept", None, body), signal);
            }
            Step::Events { id, actor, last_event_id, signal, read } => {
                let id = self.outside.clients.add(id, signal.clone(), read);
                let mut request = request("GET", "/events", Some(header(&actor)), String::new());
                request.has_last_event_id = last_event_id.is_some();
                self.request(id, request, signal);
            }
            Step::Snapshot { id, actor } => {
                self.plain(id, "GET", "/snapshot", Some(header(&actor)), String::new())
            }
            Step::Cancel { id, actor } => {
                self.plain(id, "POST", "/cancel", Some(header(&actor)), String::new())
            }
            Step::Approval { id, actor, body, raw } => {
                let body = raw.unwrap_or_else(|| body.unwrap_or_default().to_string());
                self.plain(id, "POST", "/approval", Some(header(&actor)), body);
            }
            Step::Request { id, method, path, actor, actor_raw } => {
                let identity = actor_raw.or_else(|| actor.as_ref().map(header));
                self.plain(id, &method, &path, identity, String::new());
            }
            Step::Alarm { id } => {
                self.outside.storage.alarm = None;
                let id = self.outside.clients.add(id, None, None);
                self.feed(Input::Alarm(id));
            }
            Step::Clock { now_ms } => self.outside.clock = Timestamp::from_ms(now_ms),
            Step::Abort { signal } => {
                for id in self.outside.clients.with_signal(&signal) {
                    self.feed(Input::Disconnected(id));
                }
                self.outside.gone.insert(signal);
            }
            Step::Release { gate } => {
                let released = self.outside.storage.release(&gate);
                self.outside.runtime.release(gate);
                if let Some(done) = released {
                    self.outside.stored(done);
                }
                self.run();
            }
            Step::Read { stream, chunks } => {
                if let Some(id) = self.outside.clients.named(&stream) {
                    let bytes = self.outside.clients.read(id, chunks.unwrap_or(usize::MAX));
                    self.feed(Input::Consumed { stream: id, bytes });
                }
            }
            Step::CancelStream { stream } => {
                if let Some(id) = self.outside.clients.named(&stream) {
                    self.feed(Input::StreamCancelled(id));
                }
            }
            Step::Restart => self.restart(),
        }
    }

    fn plain(&mut self, name: String, method: &str, path: &str, identity: Option<String>, body: String) {
        let id = self.outside.clients.add(name, None, None);
        self.request(id, request(method, path, identity, body), None);
    }

    fn request(&mut self, id: RequestId, request: Request, signal: Option<String>) {
        self.outside.ready.push_back(Input::Requested { id, request });
        if signal.is_some_and(|signal| self.outside.gone.contains(&signal)) {
            self.outside.ready.push_back(Input::Disconnected(id));
        }
        self.run();
    }

    fn restart(&mut self) {
        self.outside.calls.push(json!({ "call": "restart" }));
        self.outside.ready.clear();
        self.outside.storage.drop_gated();
        self.outside.runtime.restart();
        self.outside.clients.abandon();
        self.coordinator = coordinator();
        self.feed(Input::Start);
    }

    fn feed(&mut self, input: Input) {
        self.outside.ready.push_back(input);
        self.run();
    }

    fn run(&mut self) {
        drive(&mut self.coordinator, &mut self.outside);
    }

    /// Which of the secrets were shown.
    pub(super) fn leaks(&self, secrets: &[String]) -> Vec<usize> {
        let shown = |secret: &String| self.outside.shown.iter().any(|text| text.contains(secret.as_str()));
        (0..secrets.len()).filter(|at| shown(&secrets[*at])).collect()
    }

    /// What the file's member `expect` is compared with.
    pub(super) fn outcome(self) -> Value {
        let Outside { storage, clients, calls, .. } = self.outside;
        json!({
            "results": clients.outcome(),
            "calls": calls,
            "storage": storage.record,
            "alarm_ms": storage.alarm,
        })
    }
}

impl Outside {
    fn stored(&mut self, done: Done) {
        self.shown.push(done.call.to_string());
        self.calls.push(done.call);
        self.ready.extend(done.answer);
    }

    fn call(&mut self, call: Value) {
        self.calls.push(call);
    }
}

impl Ports<Coordinator> for Outside {
    fn now(&mut self) -> Timestamp {
        self.clock
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Load => {
                let record = self.storage.record.clone().map(Box::new);
                self.ready.push_back(Input::Loaded(Outcome::Ok(record)));
            }
            Effect::Put(_) | Effect::SetAlarm(_) | Effect::DeleteAlarm => {
                if let Some(done) = self.storage.perform(effect) {
                    self.stored(done);
                }
            }
            Effect::Prepare { operation, run_id, request, .. } => {
                let aborted = self.runtime.aborted;
                let request = request.expose();
                self.call(json!({
                    "call": "runtime.prepare", "runId": run_id, "request": request, "aborted": aborted,
                }));
                self.runtime.prepare(operation, run_id);
            }
            Effect::Execute(operation) => {
                self.call(json!({ "call": "runtime.execute", "aborted": self.runtime.aborted }));
                let acts = self.runtime.scripts.execute();
                self.runtime.begin(operation, Kind::Carry, acts);
            }
            Effect::Abandon(operation) => {
                self.call(json!({ "call": "runtime.abandon", "status": "cancelled" }));
                let acts = self.runtime.scripts.abandon();
                self.runtime.begin(operation, Kind::Carry, acts);
            }
            Effect::Recover { operation, handle, .. } => {
                self.call(json!({ "call": "runtime.recover", "handle": handle.expose() }));
                let acts = self.runtime.scripts.recover();
                self.runtime.begin(operation, Kind::Recover, acts);
            }
            Effect::Abort => self.runtime.aborted = true,
            Effect::AnswerAnnouncement(operation, answer) => {
                let call = self.runtime.answer_announcement(operation, answer);
                self.calls.extend(call);
            }
            Effect::AnswerEmit(answer) => {
                let call = self.runtime.answer_emit(answer);
                self.calls.extend(call);
            }
            Effect::AnswerWait(wait, answer) => {
                let call = self.runtime.answer_wait(wait, answer);
                self.calls.extend(call);
            }
            Effect::Respond(id, response) => {
                self.shown.push(json!(response.body).to_string());
                self.clients.respond(id, response);
            }
            Effect::OpenStream(id) => self.clients.open(id),
            Effect::Frame(stream, frame) => {
                self.shown.push(frame.clone());
                let bytes = self.clients.frame(stream, frame);
                self.ready.push_back(Input::Consumed { stream, bytes });
            }
            Effect::CloseStream(id) => self.clients.close(id),
            Effect::AnswerAlarm(id, answer) => self.clients.alarm(id, answer.is_ok()),
            Effect::ReportFailure(code) => self.call(json!({ "call": "background_failed", "code": code })),
        }
    }

    fn next(&mut self) -> Option<Input> {
        self.ready.pop_front().or_else(|| self.runtime.next(&mut self.calls))
    }
}

fn coordinator() -> Coordinator {
    Coordinator::new(Rules::original(), CONTRACT, 1)
}

fn request(method: &str, path: &str, identity: Option<String>, body: String) -> Request {
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        identity: identity.map(Secret::new),
        has_last_event_id: false,
        body: Secret::new(body.into_bytes()),
    }
}

/// The header in which the router passes an identity on.
fn header(actor: &Value) -> String {
    STANDARD.encode(actor.to_string())
}
