use super::symbols::Symbols;
use crate::FormatError;
use holdover_jobs::{
    AdmissionPolicy, Answer, Answered, Call, Command, Drawn, Error, Form, JobId, JobView, Key, LeaseToken,
    ListExpired, Policy, Record, Registry, Reply, Rules, STANDING, Service, ServiceEffect, ServiceInput,
    ServiceRequest, Settings, Stamp, Subject, WINDOW_DEFAULT, WorkerView, canonical, fingerprint,
};
use holdover_machine::{Machine, Outcome, Span, StoreTime, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Carries a call out at this time of the store's clock.
pub(super) type Carry<'a> = dyn FnMut(StoreTime, &Call) -> Outcome<Reply> + 'a;

/// The service and store of one scenario, with the client's memory that a variant with fencing asks for.
pub(super) struct Player<'a> {
    pub(super) symbols: Symbols,
    service: Service,
    store: &'a mut Carry<'a>,
    rules: Rules,
    admission: Vec<Value>,
    asked: usize,
    drawn: u64,
    /// Whether clients send attempt, incarnation and claim number.
    introduces: bool,
    workers: Vec<String>,
    claims: u64,
    /// The attempt and incarnation behind each token that a claim has answered.
    holders: BTreeMap<String, (u64, u64)>,
}

type Played = Result<Value, Error>;

impl<'a> Player<'a> {
    pub(super) fn new(
        rules: Rules,
        introduces: bool,
        config: &Value,
        store: &'a mut Carry<'a>,
    ) -> Result<Self, FormatError> {
        let policy = Arc::new(Policy { rules, settings: Settings::default() });
        let mut player = Self {
            symbols: Symbols::default(),
            store,
            service: Service::new(policy),
            rules,
            admission: Vec::new(),
            asked: 0,
            drawn: 0,
            introduces,
            workers: Vec::new(),
            claims: 0,
            holders: BTreeMap::new(),
        };
        player.reconfigure(config)?;
        Ok(player)
    }

    /// Plays one step.
    pub(super) fn play(&mut self, op: &str, at: i64, args: &Value) -> Result<Played, FormatError> {
        let now = StoreTime::from_ms(at);
        Ok(match op {
            "reconfigure" => {
                self.reconfigure(args)?;
                Ok(Value::Null)
            }
            "fingerprint" => Ok(fingerprint_of(args)?),
            "createMany" => {
                let inputs = args.get("inputs").and_then(Value::as_array).cloned().unwrap_or_default();
                let answers = inputs.into_iter().map(|input| {
                    match self.ask("create", at, &json!({ "input": input })) {
                        Ok(answer) => json!({ "ok": answer }),
                        Err(error) => json!({ "error": error.to_json() }),
                    }
                });
                Ok(answers.collect())
            }
            "getByKey" | "listExpired" | "listWorkers" | "admissionStats" => {
                Ok(self.read_store(op, now, args))
            }
            _ => self.ask(op, at, args),
        })
    }

    fn reconfigure(&mut self, config: &Value) -> Result<(), FormatError> {
        let mut settings = self.service.policy().settings.clone();
        if let Some(enabled) = config.get("executionEnabled").and_then(Value::as_bool) {
            settings.execution_enabled = enabled;
        }
        if let Some(registry) = config.get("registry") {
            let registry = Registry::from_json(registry);
            settings.registry = Arc::new(
                registry.map_err(|error| FormatError::malformed("$.config.registry", error.to_string()))?,
            );
        }
        if let Some(admission) = config.get("admission") {
            let answers = admission.get("answers").and_then(Value::as_array);
            settings.admission =
                if answers.is_some() { AdmissionPolicy::Asked } else { AdmissionPolicy::Open };
            self.admission = answers.cloned().unwrap_or_default();
        }
        if let Some(ms) = config.get("defaultLeaseDurationMs").and_then(Value::as_i64) {
            settings.lease = Span::from_ms(ms);
        }
        if let Some(ms) = config.get("workerStaleAfterMs").and_then(Value::as_i64) {
            settings.stale_after = Span::from_ms(ms);
        }
        self.asked = 0;
        self.service.reconfigure(Arc::new(Policy { rules: self.rules, settings }));
        Ok(())
    }

    /// Sends a request through the service and answers its calls until it is answered itself.
    fn ask(&mut self, op: &str, at: i64, args: &Value) -> Played {
        let args = self.introduce(op, args);
        let drawn = self.draw();
        let request = ServiceRequest::read(op, &args, self.service.policy(), &drawn)?;
        let answer = self.fly(request, at)?;
        let mut answer = answer.to_json();
        self.remember(op, &args, &answer);
        // The standing is not part of the original protocol; a client of that protocol leaves it aside.
        if let Value::Object(members) = &mut answer {
            members.remove(STANDING);
        }
        Ok(answer)
    }

    fn fly(&mut self, request: ServiceRequest, at: i64) -> Answered {
        let (now, clock) = (Timestamp::from_ms(at), StoreTime::from_ms(at));
        let mut effects = Vec::new();
        self.service.handle(now, ServiceInput::Request(1, request), &mut effects);
        while let Some(effect) = effects.pop() {
            let input = match effect {
                ServiceEffect::Answer(_, answer) => return answer,
                ServiceEffect::Store(id, call) => ServiceInput::Stored(id, (self.store)(clock, &call)),
                ServiceEffect::Admit(id, _) => {
                    let answer = self.admission.get(self.asked.min(self.admission.len().saturating_sub(1)));
                    self.asked += 1;
                    ServiceInput::Admitted(id, answer.cloned().unwrap_or(Value::Null))
                }
            };
            self.service.handle(now, input, &mut effects);
        }
        Ok(Answer::Done)
    }

    /// What a client of a variant with fencing says of itself besides.
    fn introduce(&mut self, op: &str, args: &Value) -> Value {
        let mut args = args.clone();
        let Value::Object(members) = &mut args else { return args };
        if !self.introduces {
            return args;
        }
        if let ("claim", Some(Value::String(worker))) = (op, members.get("workerId")) {
            let incarnation = self.incarnation(worker.trim().to_owned());
            self.claims += 1;
            members.insert("incarnation".into(), incarnation.into());
            members.insert("claimNumber".into(), self.claims.into());
        }
        let token = members.get("leaseToken").and_then(Value::as_str).map(str::trim);
        if let Some(&(attempt, incarnation)) = token.and_then(|token| self.holders.get(token)) {
            members.insert("attempt".into(), attempt.into());
            members.insert("incarnation".into(), incarnation.into());
        }
        args
    }

    fn incarnation(&mut self, worker: String) -> u64 {
        let known = self.workers.iter().position(|known| *known == worker);
        known.unwrap_or_else(|| {
            self.workers.push(worker);
            self.workers.len() - 1
        }) as u64
    }

    fn remember(&mut self, op: &str, args: &Value, answer: &Value) {
        let token = answer.get("leaseToken").and_then(Value::as_str);
        let attempt = answer.get(STANDING).and_then(|standing| standing.get("attempt")?.as_u64());
        let incarnation = args.get("incarnation").and_then(Value::as_u64);
        if let ("claim", Some(token), Some(attempt), Some(incarnation)) = (op, token, attempt, incarnation) {
            self.holders.insert(token.to_owned(), (attempt, incarnation));
        }
    }

    fn draw(&mut self) -> Drawn {
        self.drawn += 1;
        // The prefix keeps drawn texts apart from every id that a scenario names itself.
        let text = format!("drawn:{}", self.drawn);
        Drawn {
            job_id: JobId::new(&format!("{text}:job")).expect("a safe identifier"),
            token: LeaseToken::new(&format!("{text}:token")).expect("a safe identifier"),
        }
    }

    /// Reads of the store contract that no request of the service makes by itself.
    fn read_store(&mut self, op: &str, now: StoreTime, args: &Value) -> Value {
        let text = |name: &str| args.get(name).and_then(Value::as_str);
        let ms = |name: &str| args.get(name).and_then(Value::as_i64);
        let command = match op {
            "getByKey" => Command::FindByKey(Key {
                scope: text("tenantId").map(Into::into),
                text: text("key").unwrap_or("").into(),
            }),
            "listExpired" => {
                let limit = ms("limit").unwrap_or(100).clamp(1, 500) as u32;
                Command::ListExpired(ListExpired { limit, grace: Span::ZERO })
            }
            "listWorkers" => {
                Command::Workers { stale_after: Span::from_ms(ms("staleAfterMs").unwrap_or(60_000)) }
            }
            _ => Command::AdmissionCounts {
                subject: Subject {
                    tenant: text("tenantId").map(Into::into),
                    user: text("userId").map(Into::into),
                },
                window: ms("windowMs").map_or(WINDOW_DEFAULT, Span::from_ms),
            },
        };
        let stored = |record: Arc<Record>| {
            let token = record.lease.as_ref().map(|lease| lease.token.clone());
            JobView { record, form: Form::Stored, token }.to_json()
        };
        match (self.store)(now, &Call { stamp: Stamp::Caller(now), command }) {
            Outcome::Ok(Reply::Found(found)) => found.map(stored).into(),
            Outcome::Ok(Reply::Expired(list)) => list.into_iter().map(stored).collect(),
            Outcome::Ok(Reply::Workers(list)) => list.iter().map(WorkerView::to_json).collect(),
            Outcome::Ok(Reply::AdmissionCounts(counts)) => counts.to_json(),
            _ => Value::Null,
        }
    }
}

fn fingerprint_of(args: &Value) -> Result<Value, FormatError> {
    let text = args.get("json").and_then(Value::as_str).unwrap_or("");
    let value: Value = serde_json::from_str(text).map_err(|error| {
        FormatError::malformed("$.args.json", format!("must be the text of a JSON value: {error}"))
    })?;
    Ok(json!({ "canonical": canonical(&value), "sha256": fingerprint(&value) }))
}
