use holdover_jobs::rules::{Charge, Floor, Identity, Leftovers, Renew, Renewals, Requeue, Timeout};
use holdover_jobs::{
    Call, Change, Claim, ClaimMany, Command, Guard, Guards, Holder, Incarnation, JobId, JobResult, Lease,
    LeaseToken, Lose, Operate, Policy, Record, Recover, Registry, Request, Rules, Service, ServiceEffect,
    ServiceInput, ServiceRequest, Settings, SettleAndClaim, Stamp, StatusSet, Text,
};
use holdover_machine::{Machine, Span, Timestamp};
use serde_json::json;
use std::sync::Arc;

/// The executors that jobs are for.
const EXECUTORS: [&str; 4] = ["aider", "goosed", "shell", "tests"];

/// Longer than any measurement.
const LEASE: Span = Span::from_ms(600_000);

/// The calls of one worker process on a store, as the hardened rules make them: claims are numbered, ask the switch
/// and recover what is due. A job may be completed without having been started, so that an attempt is two transitions.
#[derive(Debug)]
pub struct Calls {
    worker: u64,
    claims: u64,
    tokens: u64,
    executors: Arc<[Text]>,
    result: Arc<JobResult>,
    lease: Span,
    recovers: bool,
}

impl Calls {
    /// Of this worker process, with one executor and leases that outlast any measurement.
    pub fn of(worker: u64) -> Self {
        let result = Arc::new(JobResult::read(None).expect("an empty result"));
        let calls =
            Self { worker, claims: 0, tokens: 0, executors: [].into(), result, lease: LEASE, recovers: true };
        calls.executors(1)
    }

    /// With so many executors, one to four.
    #[must_use]
    pub fn executors(self, executors: usize) -> Self {
        Self { executors: EXECUTORS[..executors].iter().map(|&executor| executor.into()).collect(), ..self }
    }

    /// With leases that are over at once, and claims that leave them to others.
    #[must_use]
    pub fn short(self) -> Self {
        Self { lease: Span::from_ms(1), recovers: false, ..self }
    }

    /// The call that creates a job with 200 bytes to do, for the first executor.
    pub fn create(number: u64) -> Call {
        Self::create_for(number, 1)
    }

    /// The same, where jobs are for so many executors in turn.
    pub fn create_for(number: u64, executors: usize) -> Call {
        let settings = Settings {
            execution_enabled: true,
            registry: Arc::new(Registry::worker_queue(EXECUTORS)),
            ..Settings::default()
        };
        let rules = Rules::named("hardened").expect("the default variant");
        let input = json!({
            "jobId": format!("job-{number}"), "idempotencyKey": format!("key-{number}"),
            "executor": EXECUTORS[number as usize % executors],
            "task": { "instruction": "x".repeat(200), "workspaceRef": { "id": "w" } },
            "authorization": { "executionAllowed": true }, "policy": { "sideEffectsAllowed": true },
        });
        let fresh = JobId::new("fresh").expect("a safe identifier");
        let request = Request::normalise(&input, &fresh, &rules).expect("a request as it should be");
        let mut service = Service::new(Arc::new(Policy { rules, settings }));
        let mut effects = Vec::new();
        let input = ServiceInput::Request(0, ServiceRequest::Create(request));
        service.handle(Timestamp::from_ms(0), input, &mut effects);
        match effects.pop() {
            Some(ServiceEffect::Store(_, call)) => call,
            other => panic!("a service asks the store, not {other:?}"),
        }
    }

    /// The next claim.
    pub fn claim(&mut self) -> Call {
        let claim = self.next_claim();
        stamped(Command::Claim(Box::new(claim)))
    }

    /// The next claim of so many jobs.
    pub fn claim_many(&mut self, jobs: usize) -> Call {
        let claim = self.next_claim();
        let more = (1..jobs).map(|_| self.token()).collect();
        stamped(Command::ClaimMany(Box::new(ClaimMany { claim, more })))
    }

    /// The start of a job that was claimed.
    pub fn start(&self, record: &Record) -> Call {
        let change = Change::Start { charge: Charge::AtStart, timeout: Timeout::Recorded };
        stamped(Command::Operate(Box::new(operation(record, change))))
    }

    /// The renewal of a lease.
    pub fn heartbeat(&self, record: &Record) -> Call {
        let change = Change::Heartbeat {
            lease: self.lease,
            renew: Renew::Extend,
            timeout: Timeout::Recorded,
            cancel_grace: Span::ZERO,
            renewals: Renewals::Silent,
        };
        stamped(Command::Operate(Box::new(operation(record, change))))
    }

    /// Takes a lease away that has run out; the job is ready again at once.
    pub fn recover(record: &Record) -> Call {
        let token = held(record).token.clone();
        let lose = Lose { requeue: Requeue::AtOnce, unstarted_max: u32::MAX, ..LOSE };
        stamped(Command::Recover(Box::new(Recover { job: record.id().clone(), token, recheck: true, lose })))
    }

    /// The completion of a job that was claimed.
    pub fn complete(&self, record: &Record) -> Call {
        stamped(Command::Operate(Box::new(self.completion(record))))
    }

    /// The completion of several.
    pub fn complete_many<'a>(&self, records: impl Iterator<Item = &'a Record>) -> Call {
        stamped(Command::OperateMany(records.map(|record| self.completion(record)).collect()))
    }

    /// The completion of a job with the next claim.
    pub fn complete_and_claim(&mut self, record: &Record) -> Call {
        let (settle, claim) = (self.completion(record), self.next_claim());
        stamped(Command::SettleAndClaim(Box::new(SettleAndClaim { settle, claim })))
    }

    fn next_claim(&mut self) -> Claim {
        self.claims += 1;
        Claim {
            worker: format!("worker-{}", self.worker).into(),
            incarnation: Some(Incarnation(self.worker)),
            number: Some(self.claims),
            remember: Span::from_ms(600_000),
            take_over: self.recovers.then_some((2, LOSE)),
            ask_switch: true,
            held_max: None,
            executors: Arc::clone(&self.executors),
            token: self.token(),
            lease: self.lease,
            charge: Charge::AtStart,
            leftovers: Leftovers::Cleared,
        }
    }

    fn completion(&self, record: &Record) -> Operate {
        let change = Change::Complete { result: Arc::clone(&self.result), leftovers: Leftovers::Cleared };
        operation(record, change)
    }

    fn token(&mut self) -> LeaseToken {
        self.tokens += 1;
        LeaseToken::new(&format!("lease-{}-{}", self.worker, self.tokens)).expect("a safe identifier")
    }
}

/// What a lost lease means: an attempt is charged once it is started.
const LOSE: Lose = Lose {
    requeue: Requeue::BackOff,
    charge: Charge::AtStart,
    back_off: Span::from_ms(1_000),
    back_off_max: Span::from_ms(60_000),
    unstarted_max: 5,
    grace: Span::ZERO,
};

fn held(record: &Record) -> &Lease {
    record.lease.as_ref().expect("a job that was claimed has a lease")
}

/// What the holder of a job does with it.
fn operation(record: &Record, change: Change) -> Operate {
    let lease = held(record);
    Operate {
        job: record.id().clone(),
        holder: Holder {
            token: lease.token.clone(),
            attempt: Some(lease.attempt),
            incarnation: lease.incarnation,
        },
        guards: Guards::default()
            .then(Guard::Replay(Identity::Attempt))
            .then(Guard::Holder(Identity::Attempt))
            .then(Guard::Unexpired)
            .then(Guard::Status(StatusSet::HELD)),
        change,
        announces: false,
    }
}

fn stamped(command: Command) -> Call {
    Call { stamp: Stamp::Store(Floor::Held), command }
}
