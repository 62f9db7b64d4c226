use crate::contract::Contract;
use crate::record_list::RecordList;
use crate::requests::{self, Ask, Draw, Proof, Read, WORKERS};
use holdover_jobs::rules::Clock;
use holdover_jobs::*;
use holdover_machine::{Machine, Outcome, Span, StoreTime, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

/// What a sequence can come to: replies by their names, and events by theirs.
pub(crate) const OUTCOMES: [&str; 32] = [
    "New",
    "Known",
    "Unblocked",
    "IdTaken",
    "Granted",
    "GrantedAgain",
    "Nothing",
    "Stale",
    "Over",
    "GrantedMany",
    "OperatedMany",
    "SettledAndGranted",
    "NotFound",
    "StatusMismatch",
    "LeaseMismatch",
    "AttemptSettled",
    "Applied",
    "Repeated",
    "Queued",
    "Blocked",
    "Leased",
    "Started",
    "Heartbeat",
    "Progress",
    "Succeeded",
    "RetryScheduled",
    "Failed",
    "LeaseRecovered",
    "TimedOut",
    "NeverStarted",
    "CancelRequested",
    "Cancelled",
];

/// The name of a variant.
fn name(value: &impl Debug) -> String {
    format!("{value:?}").split(['(', ' ']).next().unwrap_or_default().to_owned()
}

/// What a service is told that asked for one of the several.
fn first_of(reply: Reply) -> Reply {
    match reply {
        Reply::ClaimedMany(ClaimedMany::Stale(last)) => Reply::Claimed(Claimed::Stale(last)),
        Reply::ClaimedMany(ClaimedMany::Granted(grants)) => {
            Reply::Claimed(grants.into_iter().next().map_or(Claimed::Nothing, Claimed::Granted))
        }
        Reply::OperatedMany(list) => list.into_iter().next().map_or(Reply::Done, Reply::Operated),
        Reply::SettledAndClaimed { settled, .. } => Reply::Operated(settled),
        reply => reply,
    }
}

/// A service whose every store call is carried out three times: by the table, by the contract, and by a step on records.
pub(crate) struct Session {
    service: Service,
    table: Table,
    contract: Contract,
    records: RecordList,
    caller: Timestamp,
    store: StoreTime,
    /// Flights that wait before a store call: other requests come in between.
    waiting: Vec<(FlightId, Call)>,
    /// Jobs as they were once.
    kept: Vec<(Record, Vec<Event>)>,
    asked: u64,
    claims: [u64; WORKERS as usize],
    /// Which of the [`OUTCOMES`] there were.
    pub(crate) reached: BTreeSet<String>,
}

impl Session {
    pub(crate) fn new(rules: Rules, settings: Settings) -> Self {
        let policy = Arc::new(Policy { rules, settings });
        Self {
            table: Table::new(policy.order()),
            contract: Contract::new(policy.order()),
            records: RecordList::new(policy.order()),
            service: Service::new(policy),
            caller: Timestamp::from_ms(1_000_000),
            store: StoreTime::from_ms(1_000_000),
            waiting: Vec::new(),
            kept: Vec::new(),
            asked: 0,
            claims: [0; WORKERS as usize],
            reached: BTreeSet::new(),
        }
    }

    /// Lets a draw happen; what the two sides do not agree on is the error.
    pub(crate) fn carry_out(&mut self, draw: &Draw) -> Result<(), String> {
        self.caller = self.caller + Span::from_ms(draw.caller_by);
        self.store = self.store + Span::from_ms(draw.store_by);
        match &draw.ask {
            Ask::Resume if self.waiting.is_empty() => Ok(()),
            Ask::Resume => {
                let (flight, call) = self.waiting.remove(0);
                let reply = self.compare(&call)?;
                self.fly(ServiceInput::Stored(flight, Outcome::Ok(reply)), draw)
            }
            Ask::Gate { open } => {
                let mut policy = (**self.service.policy()).clone();
                policy.settings.execution_enabled = *open;
                self.service.reconfigure(Arc::new(policy));
                Ok(())
            }
            Ask::Read(read) => {
                let call = self.stamped(self.command(read));
                self.compare(&call).map(|_| ())
            }
            Ask::Keep { job } => {
                let jobs = self.contract.jobs();
                let job = jobs.get(job % jobs.len().max(1));
                self.kept.extend(job.map(|job| (job.record.clone(), job.events.clone())));
                Ok(())
            }
            Ask::Restore { kept } => {
                let Some((record, events)) = self.kept.get(kept % self.kept.len().max(1)).cloned() else {
                    return Ok(());
                };
                self.contract.restore(record.clone(), events.clone());
                self.records.restore(record.clone(), events.clone());
                match self.table.restore(record, events) {
                    true => Ok(()),
                    false => Err("a known job was not put back".into()),
                }
            }
            ask => {
                let (operation, args) = self.request(ask);
                let request = self.read(operation, &args);
                self.fly(ServiceInput::Request(self.asked, request), draw)
            }
        }
    }

    /// Lets the service work until it answers, or waits.
    fn fly(&mut self, mut input: ServiceInput, draw: &Draw) -> Result<(), String> {
        for calls in 0.. {
            let mut effects = Vec::new();
            self.service.handle(self.caller, input, &mut effects);
            input = match effects.pop() {
                Some(ServiceEffect::Store(flight, call)) if draw.waits_after == Some(calls) => {
                    self.waiting.push((flight, call));
                    return Ok(());
                }
                Some(ServiceEffect::Store(flight, call)) => {
                    ServiceInput::Stored(flight, Outcome::Ok(self.compare(&call)?))
                }
                Some(ServiceEffect::Admit(flight, _)) => {
                    let allowed = !self.asked.is_multiple_of(4);
                    ServiceInput::Admitted(flight, json!({ "allowed": allowed, "reason": "not_today" }))
                }
                Some(ServiceEffect::Answer(..)) | None => break,
            };
        }
        Ok(())
    }

    /// Both carry the call out, now and then as one of several in one step; the reply is the table's.
    fn compare(&mut self, call: &Call) -> Result<Reply, String> {
        let several = match &call.command {
            Command::Claim(claim) if self.asked.is_multiple_of(3) => self.claim_several(claim),
            Command::Operate(operate) if self.asked.is_multiple_of(5) => self.operate_several(operate),
            _ => None,
        };
        match several {
            None => self.compare_one(call),
            Some(command) => {
                let reply = self.compare_one(&Call { stamp: call.stamp, command })?;
                Ok(first_of(reply))
            }
        }
    }

    fn claim_several(&self, claim: &Claim) -> Option<Command> {
        let more =
            (0..self.asked % 4).filter_map(|nth| LeaseToken::new(&format!("more-{}-{nth}", self.asked)));
        Some(Command::ClaimMany(Box::new(ClaimMany { claim: claim.clone(), more: more.collect() })))
    }

    /// The operation twice, or with a claim after it.
    fn operate_several(&self, operate: &Operate) -> Option<Command> {
        if self.asked.is_multiple_of(2) {
            return Some(Command::OperateMany([operate.clone(), operate.clone()].into()));
        }
        let claim = Claim {
            worker: "w-next".into(),
            incarnation: Some(Incarnation(77)),
            number: Some(self.asked),
            remember: Span::from_ms(60_000),
            take_over: None,
            ask_switch: true,
            held_max: Some(2),
            executors: ["aider".into(), "goosed".into()].into(),
            token: LeaseToken::new(&format!("next-{}", self.asked))?,
            lease: Span::from_ms(5_000),
            charge: self.service.policy().rules.charge,
            leftovers: self.service.policy().rules.leftovers,
        };
        Some(Command::SettleAndClaim(Box::new(SettleAndClaim { settle: operate.clone(), claim })))
    }

    fn compare_one(&mut self, call: &Call) -> Result<Reply, String> {
        let reply = self.table.execute(self.store, call);
        let wanted = self.contract.execute(self.store, call);
        let by_step = self.records.execute(self.store, call)?;
        if reply == wanted && reply == by_step {
            self.note(&reply);
            return Ok(reply);
        }
        Err(format!(
            "at {}: {call:#?}\nthe table says {reply:#?}\nthe contract says {wanted:#?}\na step says {by_step:#?}",
            self.store
        ))
    }

    fn note(&mut self, reply: &Reply) {
        let outcome = match reply {
            Reply::Created(created) => name(created),
            Reply::Claimed(Claimed::Granted(Grant { replayed: true, .. })) => "GrantedAgain".into(),
            Reply::Claimed(claimed) => name(claimed),
            Reply::Operated(Operated::Applied { replayed: true, .. }) => "Repeated".into(),
            Reply::Operated(Operated::Refused { reason, .. }) => name(reason),
            Reply::Operated(applied) => name(applied),
            Reply::ClaimedMany(ClaimedMany::Granted(grants)) if grants.iter().any(|grant| grant.replayed) => {
                "GrantedAgain".into()
            }
            Reply::ClaimedMany(ClaimedMany::Granted(grants)) if grants.len() > 1 => "GrantedMany".into(),
            Reply::OperatedMany(_) => "OperatedMany".into(),
            Reply::SettledAndClaimed { claimed: Claimed::Granted(_), .. } => "SettledAndGranted".into(),
            _ => return,
        };
        self.reached.insert(outcome);
    }

    /// All records and all logs are the same.
    pub(crate) fn compare_all(&mut self) -> Result<(), String> {
        let jobs = self.contract.jobs();
        for (job, number) in jobs.iter().zip(0..) {
            self.reached.extend(job.events.iter().map(|event| name(&event.body)));
            let Some((record, events)) = self.table.job(number) else {
                return Err(format!("the table has lost {}", job.record.id()));
            };
            if self.records.job(number as usize) != Some((&job.record, &job.events[..])) {
                return Err(format!("the records keep {:#?}", self.records.job(number as usize)));
            }
            if **record != job.record || *events != *job.events {
                let wanted = (&job.record, &job.events);
                return Err(format!(
                    "the table keeps {:#?}\nthe contract keeps {wanted:#?}",
                    (record, events)
                ));
            }
        }
        match self.table.records().count() {
            count if count == jobs.len() => Ok(()),
            count => Err(format!("the table keeps {count} jobs, the contract {}", jobs.len())),
        }
    }

    fn stamped(&self, command: Command) -> Call {
        let rules = &self.service.policy().rules;
        let stamp = match rules.clock {
            Clock::Caller => Stamp::Caller(StoreTime::from_ms(self.caller.ms())),
            Clock::Store => Stamp::Store(rules.floor),
        };
        Call { stamp, command }
    }

    fn read(&mut self, operation: &str, args: &Value) -> ServiceRequest {
        self.asked += 1;
        let drawn = Drawn {
            job_id: JobId::new(&format!("drawn-{}", self.asked)).expect("a safe identifier"),
            token: LeaseToken::new(&format!("token-{}", self.asked)).expect("a safe identifier"),
        };
        ServiceRequest::read(operation, args, self.service.policy(), &drawn).expect("a valid request")
    }

    fn request(&mut self, ask: &Ask) -> (&'static str, Value) {
        match *ask {
            Ask::Create { job, twist } => ("create", json!({ "input": requests::create(job, twist) })),
            Ask::Claim { worker, number_back, executors, held_max, draining } => {
                let claims = &mut self.claims[usize::from(worker)];
                *claims += u64::from(number_back == 0);
                let args = json!({
                    "workerId": format!("w{worker}"), "incarnation": worker, "executors": executors,
                    "claimNumber": claims.saturating_sub(number_back.saturating_sub(1)), "leasesMax": held_max,
                    "leaseDurationMs": 5_000 + 5_000 * i64::from(held_max), "draining": draining,
                });
                ("claim", args)
            }
            Ask::Work { job, operation, proof, variant } => {
                (operation, self.with_proof(job, proof, requests::work(operation, variant)))
            }
            Ask::Cancel { job } => ("cancel", json!({ "jobId": self.any_job(job).as_str() })),
            Ask::Recover { limit } => ("recoverExpired", json!({ "limit": limit })),
            Ask::Switch { open } => ("switch", json!({ "open": open })),
            _ => ("stats", json!({})),
        }
    }

    /// A job of those that there are, or one that there is not.
    fn any_job(&self, draw: usize) -> JobId {
        let jobs = self.contract.jobs();
        let job = jobs.get(draw % (jobs.len() + 1)).map(|job| job.record.id().clone());
        job.unwrap_or_else(|| JobId::new("nobody").expect("a safe identifier"))
    }

    /// A worker's operation, mostly on a job that is held, with what it shows for it.
    fn with_proof(&self, draw: usize, proof: Proof, mut args: Value) -> Value {
        let held = self.contract.jobs().iter().map(|job| &job.record).filter(|record| match proof {
            Proof::Past => !record.past.is_empty(),
            _ => record.lease.is_some(),
        });
        let held: Vec<&Record> = held.collect();
        let record = held.get(draw % held.len().max(1));
        let shown = record.and_then(|record| match proof {
            Proof::Past => record.past.last().map(|past| (&past.token, past.attempt, past.incarnation)),
            _ => record.lease.as_ref().map(|lease| (&lease.token, lease.attempt, lease.incarnation)),
        });
        args["jobId"] = match record {
            Some(record) => record.id().as_str().into(),
            None => self.any_job(draw).as_str().into(),
        };
        args["leaseToken"] = "guess".into();
        if let Some((token, attempt, incarnation)) = shown {
            let other = u32::from(matches!(proof, Proof::Other));
            args["attempt"] = (attempt + other * (1 + draw as u32 % 2)).into();
            args["incarnation"] = json!(incarnation);
            if !matches!(proof, Proof::Guess) {
                args["leaseToken"] = token.reveal().into();
            }
        }
        args
    }

    fn command(&self, read: &Read) -> Command {
        let named = |kind: &str, number: Option<u8>| number.map(|number| format!("{kind}{number}").into());
        match *read {
            Read::Key { job, tenant, padded } => Command::FindByKey(Key {
                scope: named("t", tenant),
                text: if padded { format!("\u{3000}k{job} ") } else { format!("k{job}") }.into(),
            }),
            Read::Events { job, after, limit } => Command::Events { job: self.any_job(job), after, limit },
            Read::Expired { limit, grace } => {
                Command::ListExpired(ListExpired { limit, grace: Span::from_ms(grace) })
            }
            Read::Admission { tenant, user, window } => Command::AdmissionCounts {
                subject: Subject { tenant: named("t", tenant), user: named("u", user) },
                window: Span::from_ms(window),
            },
            Read::Workers { stale_after } => Command::Workers { stale_after: Span::from_ms(stale_after) },
        }
    }
}
