//! A coordinator, its storage and its runtime, moved by numbers.

use crate::judge::{Asked, HANDLE_SECRET, Judge, REQUEST_SECRET, UNREAD_MAX};
use holdover_machine::{Machine, Outcome, Secret, Timestamp};
use holdover_runs::{
    Accepted, Contract, Coordinator, Effect, ErrorCode, Event, Failure, Final, Handle, Identity, Input,
    OperationId, Record, Request, RequestId, Rules, RunStatus, WaitId,
};
use serde_json::{Value, json};

/// One move; what its numbers stand for depends on what is outstanding.
#[derive(Debug, Clone)]
pub(crate) enum Move {
    Store(u8),
    Runtime { which: u8, outcome: u8 },
    Request { route: u8, caller: u8 },
    Announce(u8),
    Emit(u8),
    WantApproval(u8),
    AbortWait(u8),
    Consume { which: u8, bytes: u8 },
    CancelStream(u8),
    Disconnect(u8),
    Alarm,
    Restart,
    Stray(u8),
}

pub(crate) struct World {
    coordinator: Coordinator,
    pub(crate) judge: Judge,
    stored: Option<Record>,
    alarm: Option<Timestamp>,
    /// The storage operation that is outstanding.
    storing: Option<Effect>,
    /// The calls of the runtime that are outstanding.
    calls: Vec<(OperationId, Call)>,
    now: Timestamp,
    names: u64,
    restarted: bool,
}

#[derive(Debug, Clone, Copy)]
enum Call {
    Prepare,
    Carry,
    Recover,
}

/// `{"user":"ann","session":"s1"}` and `{"user":"bob","session":"s1"}`
const ANN: &str = "eyJ1c2VyIjoiYW5uIiwic2Vzc2lvbiI6InMxIn0";
const BOB: &str = "eyJ1c2VyIjoiYm9iIiwic2Vzc2lvbiI6InMxIn0";

const CONTRACT: Contract = Contract {
    identity: |value| {
        let text = |member: &str| value.get(member)?.as_str().map(str::to_owned);
        Some(Identity { owner_key: text("user")?, session_id: text("session")? })
    },
    is_request: Value::is_string,
};

impl World {
    pub(crate) fn new() -> Self {
        let mut world = Self {
            coordinator: coordinator(),
            judge: Judge::new(),
            stored: None,
            alarm: None,
            storing: None,
            calls: Vec::new(),
            now: Timestamp::ZERO,
            names: 0,
            restarted: false,
        };
        world.feed(Input::Start);
        world
    }

    pub(crate) fn play(&mut self, now: i64, next: Move) {
        self.now = Timestamp::from_ms(now);
        match next {
            Move::Store(outcome) => self.store(outcome),
            Move::Runtime { which, outcome } => self.answer(which, outcome),
            Move::Request { route, caller } => self.request(route, caller),
            Move::Announce(choice) => self.announce(choice),
            Move::Emit(choice) => self.emit(choice),
            Move::WantApproval(choice) => {
                let wait = WaitId(self.name());
                let run_id = if choice < 16 { "other" } else { "run" }.to_owned();
                self.judge.waits.insert(wait, call(choice));
                self.feed(Input::ApprovalWanted { wait, run_id, call_id: call(choice) });
            }
            Move::AbortWait(which) => {
                let wait = pick(self.judge.waits.keys(), which).copied();
                self.feed(Input::WaitAborted(wait.unwrap_or(WaitId(0))));
            }
            Move::Consume { which, bytes } => {
                let stream = pick(self.judge.streams.keys(), which).copied().unwrap_or(RequestId(0));
                let bytes = u64::from(bytes) * 4;
                if let Some(unread) = self.judge.streams.get_mut(&stream) {
                    *unread = unread.saturating_sub(bytes);
                }
                self.feed(Input::Consumed { stream, bytes });
            }
            Move::CancelStream(which) => {
                let stream = pick(self.judge.streams.keys(), which).copied();
                self.feed(Input::StreamCancelled(stream.unwrap_or(RequestId(0))));
            }
            Move::Disconnect(which) => {
                let open = self.judge.requests.keys().chain(self.judge.streams.keys());
                let client = pick(open, which).copied().unwrap_or(RequestId(0));
                self.feed(Input::Disconnected(client));
            }
            Move::Alarm => {
                let id = RequestId(self.name());
                self.judge.alarms.insert(id);
                self.feed(Input::Alarm(id));
            }
            Move::Restart => self.restart(),
            Move::Stray(choice) => self.stray(choice),
        }
    }

    /// Cancels and answers everything; nothing may stay open, unless something failed that leaves it open.
    pub(crate) fn end(&mut self) {
        self.send("POST", "/cancel", Some(ANN), String::new(), Asked::Cancel);
        while self.storing.is_some() || !self.calls.is_empty() {
            self.store(u8::MAX);
            self.answer(0, u8::MAX);
        }
        if !self.judge.clean {
            return;
        }
        assert!(self.judge.requests.is_empty() && self.judge.alarms.is_empty(), "RC-L-CANCEL");
        assert!(self.judge.waits.is_empty() && self.judge.announcements + self.judge.emits == 0, "RC-L-WAIT");
        assert!(self.judge.streams.is_empty(), "RC-L-STREAM");
        // A process that dies between the end's write and the disarming leaves an alarm that will do nothing.
        assert!(self.alarm.is_none() || self.restarted, "RC-L-ALARM");
        assert!(self.stored.as_ref().is_none_or(|record| record.phase.is_terminal()), "RC-L-END");
        assert_eq!(self.stored.as_ref(), self.coordinator.record(), "memory is what is stored");
    }

    fn feed(&mut self, input: Input) {
        let phase = |coordinator: &Coordinator| coordinator.record().map(|record| record.phase);
        let before = phase(&self.coordinator);
        let mut effects = Vec::new();
        self.coordinator.handle(self.now, input, &mut effects);
        let phases = (before, phase(&self.coordinator));
        for effect in effects {
            self.judge.effect(&effect, phases, self.stored.as_ref());
            match effect {
                Effect::Load | Effect::Put(_) | Effect::SetAlarm(_) | Effect::DeleteAlarm => {
                    assert!(self.storing.is_none(), "RC-SERIAL");
                    self.storing = Some(effect);
                }
                Effect::Prepare { operation, .. } => self.calls.push((operation, Call::Prepare)),
                Effect::Execute(operation) | Effect::Abandon(operation) => {
                    self.calls.push((operation, Call::Carry));
                }
                Effect::Recover { operation, .. } => self.calls.push((operation, Call::Recover)),
                _ => {}
            }
        }
    }

    /// One storage operation in ten fails or gets lost on its way back.
    fn store(&mut self, outcome: u8) {
        let Some(effect) = self.storing.take() else { return };
        let outcome = match outcome {
            0..4 => Outcome::Failed(Failure::unclassified()),
            4..8 => Outcome::Unknown(Failure::unclassified()),
            _ => Outcome::Ok(()),
        };
        let applied = match outcome {
            Outcome::Ok(()) => true,
            Outcome::Failed(_) => false,
            Outcome::Unknown(_) => self.names.is_multiple_of(2),
        };
        self.judge.clean &= outcome == Outcome::Ok(());
        if let Effect::Load = effect {
            let stored = self.stored.clone().map(Box::new);
            return self.feed(Input::Loaded(outcome.map(|()| stored)));
        }
        match effect {
            Effect::Put(record) if applied => self.stored = Some(*record),
            Effect::SetAlarm(at) if applied => self.alarm = Some(at),
            Effect::DeleteAlarm if applied => self.alarm = None,
            _ => {}
        }
        self.feed(Input::Stored(outcome));
    }

    fn answer(&mut self, which: u8, outcome: u8) {
        if self.calls.is_empty() {
            return;
        }
        let (operation, call) = self.calls.remove(usize::from(which) % self.calls.len());
        let failure = match outcome {
            0..8 => Some(Failure::classified(ErrorCode::NotFound)),
            8..16 => Some(Failure::value(&json!({ "code": "timeout", "message": HANDLE_SECRET }))),
            16..24 => Some(Failure::unclassified()),
            _ => None,
        };
        let input = match call {
            Call::Prepare => {
                let body = json!({ "runId": "run", "conversationId": "c", "turnId": "t" });
                Input::Prepared(operation, failure.map_or(Outcome::Ok(Accepted::new(body)), Outcome::Failed))
            }
            Call::Carry => {
                let status = match outcome % 8 {
                    0 => RunStatus::Running,
                    1 | 2 => RunStatus::Failed,
                    3 => RunStatus::Cancelled,
                    _ => RunStatus::Completed,
                };
                let last = Final { status, cancel_requested: false, error: failure, exhausted: None };
                Input::Ended(operation, failure.map_or(Outcome::Ok(last), Outcome::Unknown))
            }
            Call::Recover => {
                self.judge.clean &= failure.is_none();
                Input::Recovered(operation, failure.map_or(Outcome::Ok(()), Outcome::Failed))
            }
        };
        self.feed(input);
    }

    fn request(&mut self, route: u8, caller: u8) {
        let caller = match caller {
            0..32 => Some(BOB),
            32..36 => Some("no identity"),
            36..40 => None,
            _ => Some(ANN),
        };
        let order = |run_id: &str| json!({ "runId": run_id, "actor": { "user": "ann", "session": "s1" }, "request": REQUEST_SECRET });
        let decision = |choice: u8, word: &str| json!({ "callId": call(choice), "decision": word });
        match route {
            0..64 => self.send("POST", "/accept", Some(ANN), order("run").to_string(), Asked::Other),
            64..72 => self.send("POST", "/accept", Some(ANN), order("no/id").to_string(), Asked::Other),
            72..144 => self.send("GET", "/events", caller, String::new(), Asked::Other),
            144..152 => self.send("POST", "/cancel", caller, String::new(), Asked::Cancel),
            152..168 => self.send("GET", "/snapshot", caller, String::new(), Asked::Other),
            168..220 => {
                let body = decision(route, "allow").to_string();
                self.send("POST", "/approval", caller, body, Asked::Allow(call(route)));
            }
            220..240 => {
                self.send("POST", "/approval", caller, decision(route, "deny").to_string(), Asked::Other)
            }
            _ => self.send("GET", "/approval", caller, "{".into(), Asked::Other),
        }
    }

    fn send(&mut self, method: &str, path: &str, caller: Option<&str>, body: String, asked: Asked) {
        let id = RequestId(self.name());
        self.judge.requests.insert(id, (caller == Some(ANN), asked));
        let request = Request {
            method: method.into(),
            path: path.into(),
            identity: caller.map(|caller| Secret::new(caller.into())),
            has_last_event_id: path == "/events" && id.0.is_multiple_of(16),
            body: Secret::new(body.into_bytes()),
        };
        self.feed(Input::Requested { id, request });
    }

    fn announce(&mut self, choice: u8) {
        let preparing = self.calls.iter().find(|(_, call)| matches!(call, Call::Prepare));
        let operation = preparing.map_or(OperationId(99), |(operation, _)| *operation);
        let handle = json!({ "conversationId": "c", "turnId": choice, "key": HANDLE_SECRET });
        self.judge.announcements += 1;
        let handle = if choice < 16 { None } else { Handle::new(handle) };
        self.feed(Input::HandleAnnounced { operation, handle });
    }

    fn emit(&mut self, choice: u8) {
        let event = match choice {
            0..16 => json!({ "kind": "end", "status": "completed" }),
            16..96 => json!({ "kind": "approval_required", "callId": call(choice) }),
            _ => json!({ "kind": "text", "text": "x".repeat(usize::from(choice)) }),
        };
        self.judge.emits += 1;
        self.feed(Input::Emitted(Event::new(event).expect("an event")));
    }

    /// Answers to nothing that is outstanding; nothing comes of them.
    fn stray(&mut self, choice: u8) {
        let operation = OperationId(u64::from(choice / 5 % 8));
        let failed = || Failure::unclassified();
        let input = match choice % 5 {
            0 if self.storing.is_none() => Input::Stored(Outcome::Failed(failed())),
            1 => Input::Start,
            2 if !self.calls.iter().any(|call| call.0 == operation) => {
                Input::Prepared(operation, Outcome::Failed(failed()))
            }
            3 if !self.calls.iter().any(|call| call.0 == operation) => {
                Input::Ended(operation, Outcome::Failed(failed()))
            }
            4 if !self.calls.iter().any(|call| call.0 == operation) => {
                Input::Recovered(operation, Outcome::Failed(failed()))
            }
            _ => return,
        };
        let mut effects = Vec::new();
        self.coordinator.handle(self.now, input, &mut effects);
        assert!(effects.is_empty(), "a stray answer changes nothing: {effects:?}");
    }

    fn restart(&mut self) {
        self.restarted = true;
        self.storing = None;
        self.calls.clear();
        self.judge.restart(self.stored.as_ref());
        self.coordinator = coordinator();
        self.feed(Input::Start);
    }

    fn name(&mut self) -> u64 {
        self.names += 1;
        self.names
    }
}

fn coordinator() -> Coordinator {
    Coordinator::new(Rules { unread_max: UNREAD_MAX, ..Rules::original() }, CONTRACT, 7)
}

/// Mostly one call, so that decisions meet approvals.
fn call(choice: u8) -> String {
    if choice.is_multiple_of(8) { "other-call" } else { "call" }.to_owned()
}

fn pick<T>(mut all: impl Iterator<Item = T> + Clone, which: u8) -> Option<T> {
    let count = all.clone().count();
    all.nth(usize::from(which).checked_rem(count)?)
}
