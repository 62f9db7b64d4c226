//! A service that is asked things at random, and hands its store calls on.

use super::requests::{self, WORKERS};
use crate::draws::Draws;
use holdover_jobs::rules::Clock;
use holdover_jobs::{
    Call, Claim, ClaimMany, Command, Drawn, FlightId, Incarnation, JobId, Key, LeaseToken, ListExpired,
    Operate, Policy, Record, Reply, Service, ServiceEffect, ServiceInput, ServiceRequest, SettleAndClaim,
    Stamp, Subject, Table,
};
use holdover_machine::{Machine, Outcome, Span, StoreTime, Timestamp};
use serde_json::{Value, json};
use std::sync::Arc;

/// A service and those who ask it.
pub(super) struct Asking {
    service: Service,
    asked: u64,
    claims: [u64; WORKERS as usize],
    caller: Timestamp,
    /// The call of a flight that goes on at once.
    current: Option<(FlightId, Call)>,
    /// Calls that wait until later, so that others come in between.
    waiting: Vec<(FlightId, Call)>,
}

impl Asking {
    pub(super) fn new(policy: Arc<Policy>) -> Self {
        Self {
            service: Service::new(policy),
            asked: 0,
            claims: [0; WORKERS as usize],
            caller: Timestamp::from_ms(1_000_000),
            current: None,
            waiting: Vec::new(),
        }
    }

    /// The next store call and the flight that waits for its reply; `None` where a request needs none.
    pub(super) fn next(&mut self, draws: &mut Draws, table: &Table) -> Option<(FlightId, Call)> {
        if let Some(current) = self.current.take() {
            return Some(current);
        }
        self.caller = self.caller + step(draws);
        self.asked += 1;
        if draws.one_in(6) && !self.waiting.is_empty() {
            return Some(self.waiting.remove(0));
        }
        match draws.below(40) {
            0..=4 => Some((0, self.stamped(self.read(draws, table)))),
            5 => {
                let mut policy = (**self.service.policy()).clone();
                policy.settings.execution_enabled = !draws.one_in(3);
                self.service.reconfigure(Arc::new(policy));
                None
            }
            _ => {
                let request = self.request(draws, table)?;
                self.fly(ServiceInput::Request(self.asked, request))
            }
        }
    }

    /// Tells a flight its reply, and what it asks next; the flight of a plain read is nobody's.
    pub(super) fn reply(&mut self, draws: &mut Draws, flight: FlightId, reply: Reply) {
        if flight == 0 {
            return;
        }
        if let Some(next) = self.fly(ServiceInput::Stored(flight, Outcome::Ok(reply))) {
            match draws.one_in(6) || self.current.is_some() {
                true => self.waiting.push(next),
                false => self.current = Some(next),
            }
        }
    }

    fn fly(&mut self, mut input: ServiceInput) -> Option<(FlightId, Call)> {
        loop {
            let mut effects = Vec::new();
            self.service.handle(self.caller, input, &mut effects);
            input = match effects.pop()? {
                ServiceEffect::Store(flight, call) => return Some((flight, self.widened(call))),
                ServiceEffect::Admit(flight, _) => {
                    let allowed = !self.asked.is_multiple_of(4);
                    ServiceInput::Admitted(flight, json!({ "allowed": allowed, "reason": "not_today" }))
                }
                ServiceEffect::Answer(..) => return None,
            };
        }
    }

    /// Now and then a call is made as one of several.
    fn widened(&self, call: Call) -> Call {
        let command = match call.command {
            Command::Claim(claim) if self.asked.is_multiple_of(3) => self.claim_several(*claim),
            Command::Operate(operate) if self.asked.is_multiple_of(5) => self.operate_several(*operate),
            command => command,
        };
        Call { stamp: call.stamp, command }
    }

    fn claim_several(&self, claim: Claim) -> Command {
        let more = (0..self.asked % 4).map(|nth| token(&format!("more-{}-{nth}", self.asked)));
        Command::ClaimMany(Box::new(ClaimMany { claim, more: more.collect() }))
    }

    /// The operation twice, or with a claim after it.
    fn operate_several(&self, settle: Operate) -> Command {
        if self.asked.is_multiple_of(2) {
            return Command::OperateMany([settle.clone(), settle].into());
        }
        let rules = &self.service.policy().rules;
        let claim = Claim {
            worker: "w-next".into(),
            incarnation: Some(Incarnation(77)),
            number: Some(self.asked),
            remember: Span::from_ms(1 << 40),
            take_over: None,
            ask_switch: true,
            held_max: Some(2),
            executors: ["aider".into(), "goosed".into()].into(),
            token: token(&format!("next-{}", self.asked)),
            lease: Span::from_ms(5_000),
            charge: rules.charge,
            leftovers: rules.leftovers,
        };
        Command::SettleAndClaim(Box::new(SettleAndClaim { settle, claim }))
    }

    fn stamped(&self, command: Command) -> Call {
        let rules = &self.service.policy().rules;
        let stamp = match rules.clock {
            Clock::Caller => Stamp::Caller(StoreTime::from_ms(self.caller.ms())),
            Clock::Store => Stamp::Store(rules.floor),
        };
        Call { stamp, command }
    }

    fn request(&mut self, draws: &mut Draws, table: &Table) -> Option<ServiceRequest> {
        let (operation, args) = match draws.below(37) {
            0..=7 => ("create", json!({ "input": requests::create(draws) })),
            8..=15 => ("claim", self.claim(draws)),
            16..=29 => {
                let (operation, args) = requests::work(draws);
                (operation, with_proof(draws, table, args))
            }
            30..=33 => ("cancel", json!({ "jobId": any_job(draws, table).as_str() })),
            34 | 35 => ("recoverExpired", json!({ "limit": 1 + draws.below(3) })),
            _ if draws.one_in(2) => ("switch", json!({ "open": !draws.one_in(3) })),
            _ => ("stats", json!({})),
        };
        let drawn = Drawn {
            job_id: JobId::new(&format!("drawn-{}", self.asked))?,
            token: token(&format!("token-{}", self.asked)),
        };
        ServiceRequest::read(operation, &args, self.service.policy(), &drawn).ok()
    }

    fn claim(&mut self, draws: &mut Draws) -> Value {
        let worker = draws.below(WORKERS);
        let claims = &mut self.claims[worker as usize];
        let back = if draws.one_in(4) { 1 + draws.below(2) } else { 0 };
        *claims += u64::from(back == 0);
        let executors =
            [&["aider"][..], &["goosed"], &["aider", "goosed"], &["none", "nobody", "goosed", "aider"]];
        let held_max = 1 + draws.below(3);
        json!({
            "workerId": format!("w{worker}"), "incarnation": worker,
            "executors": executors[draws.below(4) as usize],
            "claimNumber": claims.saturating_sub(back.saturating_sub(1)), "leasesMax": held_max,
            "leaseDurationMs": 5_000 + 5_000 * held_max, "draining": draws.one_in(20),
        })
    }

    fn read(&self, draws: &mut Draws, table: &Table) -> Command {
        let number = draws.below(10);
        let tenant = draws.one_in(2).then(|| format!("t{}", draws.below(3)).into());
        let user = draws.one_in(2).then(|| format!("ü{}", draws.below(2)).into());
        let span = Span::from_ms(draws.below(60_000) as i64);
        match draws.below(8) {
            0 => Command::FindByKey(Key { scope: tenant, text: format!("\u{3000}k{number} ").into() }),
            1 => Command::FindByKey(Key { scope: None, text: format!("k{number}").into() }),
            2 => Command::Events { job: any_job(draws, table), after: draws.below(8), limit: draws.below(6) },
            3 => Command::ListExpired(ListExpired { limit: draws.below(4) as u32, grace: span }),
            4 => Command::AdmissionCounts { subject: Subject { tenant, user }, window: span },
            5 => Command::Workers { stale_after: span },
            6 => Command::QueueStats,
            _ => Command::Load(any_job(draws, table)),
        }
    }
}

fn token(text: &str) -> LeaseToken {
    LeaseToken::new(text).expect("a safe identifier")
}

/// How far a clock moves: mostly a little, at times far, or back.
pub(super) fn step(draws: &mut Draws) -> Span {
    Span::from_ms(match draws.below(21) {
        0..=7 => 0,
        8..=15 => draws.below(4_000) as i64,
        16..=18 => draws.below(40_000) as i64,
        _ => -(draws.below(30_000) as i64),
    })
}

/// A job of those that there are, or one that there is not.
fn any_job(draws: &mut Draws, table: &Table) -> JobId {
    let count = table.records().count() as u64;
    let job = table.records().nth(draws.below(count + 1) as usize).map(|record| record.id().clone());
    job.unwrap_or_else(|| JobId::new("nobody").expect("a safe identifier"))
}

/// A worker's operation, mostly on a job that is held, with what it shows for it.
fn with_proof(draws: &mut Draws, table: &Table, mut args: Value) -> Value {
    let proof = draws.below(21);
    let (past, other, guess) = ((16..19).contains(&proof), proof == 19, proof == 20);
    let fits = |record: &&Arc<Record>| if past { !record.past.is_empty() } else { record.lease.is_some() };
    let held: Vec<&Arc<Record>> = table.records().filter(fits).collect();
    let record = draws.of(&held).copied();
    let shown = record.and_then(|record| match past {
        true => record.past.last().map(|past| (&past.token, past.attempt, past.incarnation)),
        false => record.lease.as_ref().map(|lease| (&lease.token, lease.attempt, lease.incarnation)),
    });
    args["jobId"] = match record {
        Some(record) => record.id().as_str().into(),
        None => any_job(draws, table).as_str().into(),
    };
    args["leaseToken"] = "guess".into();
    if let Some((token, attempt, incarnation)) = shown {
        args["attempt"] = (attempt + u32::from(other)).into();
        args["incarnation"] = json!(incarnation);
        if !guess {
            args["leaseToken"] = token.reveal().into();
        }
    }
    args
}
