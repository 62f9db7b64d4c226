//! Histories of clients that work against a store that keeps its promise: each operation is carried out at one moment
//! between its question and its answer.

use holdover::Rng;
use holdover::history::{HistoryEvent, Type};
use serde_json::{Value, json};

/// What a history is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// How many operations are asked for.
    pub(crate) operations: u32,
    /// How many clients ask at once.
    pub(crate) clients: u32,
    /// How many jobs there are.
    pub(crate) jobs: u32,
    /// How long a lease is, in milliseconds; an event takes one or two.
    pub(crate) lease_ms: i64,
    /// Of how many operations one is never answered.
    pub(crate) unanswered_one_in: u32,
    /// Of how many operations that may end a job one does.
    pub(crate) over_one_in: u32,
}

/// The history of a seed.
pub(crate) fn generate(rng: &mut Rng, size: Size) -> Vec<HistoryEvent> {
    let clients = (0..u64::from(size.clients)).map(Client::new).collect();
    let store = Store {
        jobs: vec![Job::default(); size.jobs as usize],
        lease_ms: size.lease_ms,
        over_one_in: size.over_one_in,
    };
    let mut run = Run { events: Vec::new(), now_ms: 0, asked: 0, processes: size.clients.into(), store };
    run.play(rng, size, clients);
    run.events
}

#[derive(Debug, Clone, Default)]
struct Job {
    created: bool,
    over: bool,
    attempt: u64,
    held_until: Option<i64>,
    /// Which operation ended which attempt.
    ended: Vec<(u64, &'static str)>,
}

struct Store {
    jobs: Vec<Job>,
    lease_ms: i64,
    over_one_in: u32,
}

struct Client {
    process: u64,
    stage: Stage,
    /// The leases that it has been granted: job and attempt, the last one at the end.
    leases: Vec<(usize, u64)>,
    /// The claim that it repeats: what it was granted, if anything was carried out.
    claim: Option<Option<(usize, u64)>>,
}

enum Stage {
    Idle,
    Asked { f: &'static str, value: Value },
    Answered { f: &'static str, kind: Type, value: Value },
}

struct Run {
    events: Vec<HistoryEvent>,
    now_ms: i64,
    asked: u32,
    processes: u64,
    store: Store,
}

impl Client {
    fn new(process: u64) -> Self {
        Self { process, stage: Stage::Idle, leases: Vec::new(), claim: None }
    }
}

impl Run {
    fn play(&mut self, rng: &mut Rng, size: Size, mut clients: Vec<Client>) {
        loop {
            let idle = clients.iter().all(|client| matches!(client.stage, Stage::Idle));
            if self.asked == size.operations && idle {
                return;
            }
            self.now_ms += rng.between(1, 2);
            let place = rng.below(size.clients) as usize;
            self.act(rng, size, &mut clients[place]);
        }
    }

    fn act(&mut self, rng: &mut Rng, size: Size, client: &mut Client) {
        match std::mem::replace(&mut client.stage, Stage::Idle) {
            Stage::Idle if self.asked == size.operations => {}
            Stage::Idle => {
                self.asked += 1;
                let (f, value) = question(rng, size, client);
                self.note(client.process, Type::Invoke, f, value.clone());
                client.stage = Stage::Asked { f, value };
            }
            Stage::Asked { f, value } => {
                let lost = rng.chance(1, size.unanswered_one_in.saturating_mul(2));
                let (kind, value) =
                    if lost { (Type::Info, value) } else { self.carry_out(rng, f, value, client) };
                client.stage = Stage::Answered { f, kind, value };
            }
            Stage::Answered { f, kind, value } => {
                let lost = kind == Type::Info || rng.chance(1, size.unanswered_one_in.saturating_mul(2));
                if lost {
                    self.note(client.process, Type::Info, f, Value::Null);
                    client.process = self.processes;
                    self.processes += 1;
                    return;
                }
                let lease = lease_of(&value).filter(|_| kind == Type::Ok);
                if f == "claim" {
                    client.claim = None;
                    client.leases.extend(lease);
                } else if matches!(f, "complete" | "fail") && rng.chance(3, 4) {
                    client.leases.retain(|other| Some(*other) != lease);
                }
                self.note(client.process, kind, f, value);
            }
        }
    }

    fn note(&mut self, process: u64, kind: Type, f: &str, value: Value) {
        let (index, time) = (self.events.len() as u64, self.now_ms * 1_000_000);
        self.events.push(HistoryEvent { index, time, process, kind, f: f.to_owned(), value, error: None });
    }

    fn carry_out(
        &mut self,
        rng: &mut Rng,
        f: &'static str,
        mut value: Value,
        client: &mut Client,
    ) -> (Type, Value) {
        let now = self.now_ms;
        if f == "claim" {
            return self.store.claim(now, value, client);
        }
        let Some(place) = job_of(&value) else { return (Type::Fail, value) };
        let Store { jobs, lease_ms, over_one_in } = &mut self.store;
        let job = &mut jobs[place];
        let attempt = value["attempt"].as_u64();
        let held = job.held_until.is_some_and(|until| now < until);
        let holds = held && attempt == Some(job.attempt);
        let told = rng.chance(1, 2);
        match f {
            "create" => value["created"] = (!std::mem::replace(&mut job.created, true)).into(),
            "cancel" if job.created => {
                job.over |= job.held_until.is_none();
                if told {
                    value["over"] = job.over.into();
                }
            }
            "recover" if job.held_until.is_some() && !held => {
                job.held_until = None;
                value["attempt"] = if told { job.attempt.into() } else { Value::Null };
            }
            "start" | "progress" if holds => {
                value["remaining_ms"] = job.held_until.map(|until| until - now).into();
            }
            "heartbeat" if holds => {
                job.held_until = Some(now + *lease_ms);
                value["remaining_ms"] = (*lease_ms).into();
            }
            "complete" | "fail" if holds => {
                job.held_until = None;
                job.ended.push((job.attempt, f));
                job.over = f == "complete" || rng.chance(1, *over_one_in);
                if told {
                    value["over"] = job.over.into();
                }
            }
            _ if job.ended.iter().any(|ended| Some(ended.0) == attempt && ended.1 == f) => {
                value["replayed"] = true.into();
            }
            _ => return (Type::Fail, value),
        }
        (Type::Ok, value)
    }
}

impl Store {
    fn claim(&mut self, now: i64, mut value: Value, client: &mut Client) -> (Type, Value) {
        let held = |job: &Job| job.held_until.is_some_and(|until| now < until);
        if let Some(granted) = client.claim.replace(None).flatten() {
            let (place, attempt) = granted;
            let job = &self.jobs[place];
            client.claim = Some(Some(granted));
            if !held(job) || job.attempt != attempt {
                return (Type::Fail, value);
            }
            value["replayed"] = true.into();
            return (Type::Ok, self.grant(now, value, place));
        }
        let executors = value["executors"].clone();
        let free = self.jobs.iter().enumerate().position(|(place, job)| {
            let runs = executors.as_array().is_some_and(|known| known.contains(&executor(place).into()));
            runs && job.created && !job.over && !held(job)
        });
        if let Some(place) = free {
            let job = &mut self.jobs[place];
            job.attempt += 1;
            job.held_until = Some(now + self.lease_ms);
            client.claim = Some(Some((place, job.attempt)));
            return (Type::Ok, self.grant(now, value, place));
        }
        (Type::Ok, value)
    }

    fn grant(&self, now: i64, mut value: Value, place: usize) -> Value {
        let job = &self.jobs[place];
        value["job"] = name(place).into();
        value["attempt"] = job.attempt.into();
        value["remaining_ms"] = job.held_until.map(|until| until - now).into();
        value
    }
}

/// What a client asks for next: mostly something of the lease that it has, at times something that must be refused.
fn question(rng: &mut Rng, size: Size, client: &Client) -> (&'static str, Value) {
    let job = name(rng.below(size.jobs) as usize);
    let executors = &["a", "b"][..1 + rng.below(2) as usize];
    let claim = json!({ "worker": client.process, "executors": executors });
    if client.claim.is_some() {
        return ("claim", claim);
    }
    let lease =
        if rng.chance(3, 4) { client.leases.last().copied() } else { rng.pick(&client.leases).copied() };
    let uses = ["start", "heartbeat", "heartbeat", "progress", "fail"];
    match (rng.below(8), lease) {
        (0..=3, Some((place, attempt))) => {
            let ends = rng.chance(1, size.over_one_in);
            let f = if ends { "complete" } else { rng.pick(&uses).copied().unwrap_or("heartbeat") };
            (f, json!({ "job": name(place), "attempt": attempt }))
        }
        (4, _) => ("recover", json!({ "job": job })),
        (5, _) if rng.chance(1, size.over_one_in) => ("cancel", json!({ "job": job })),
        (5 | 6, _) => {
            let place = rng.below(size.jobs) as usize;
            ("create", json!({ "job": name(place), "executor": executor(place) }))
        }
        _ => ("claim", claim),
    }
}

fn name(place: usize) -> String {
    format!("j{place}")
}

fn executor(place: usize) -> &'static str {
    ["a", "b"][place % 2]
}

fn job_of(value: &Value) -> Option<usize> {
    value["job"].as_str()?.strip_prefix('j')?.parse().ok()
}

fn lease_of(value: &Value) -> Option<(usize, u64)> {
    Some((job_of(value)?, value["attempt"].as_u64()?))
}
