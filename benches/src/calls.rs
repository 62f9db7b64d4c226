use holdover_jobs::rules::{Charge, Floor, Identity, Leftovers, Requeue};
use holdover_jobs::{
    Call, Change, Claim, ClaimMany, Command, Guard, Guards, Holder, Incarnation, JobId, JobResult,
    LeaseToken, Lose, Operate, Policy, Record, Registry, Request, Rules, Service, ServiceEffect,
    ServiceInput, ServiceRequest, Settings, SettleAndClaim, Stamp, StatusSet, Text,
};
use holdover_machine::{Machine, Span, Timestamp};
use serde_json::json;
use std::sync::Arc;

/// The calls of one worker process on a store, as the hardened rules make them: claims are numbered, ask the switch
/// and recover what is due. A job is completed without having been started, so that an attempt is two transitions.
#[derive(Debug)]
pub struct Calls {
    worker: u64,
    claims: u64,
    tokens: u64,
    executors: Arc<[Text]>,
    result: Arc<JobResult>,
}

impl Calls {
    /// Of this worker process.
    pub fn of(worker: u64) -> Self {
        let result = Arc::new(JobResult::read(None).expect("an empty result"));
        Self { worker, claims: 0, tokens: 0, executors: ["aider".into()].into(), result }
    }

    /// The call that creates a job with 200 bytes to do.
    pub fn create(number: u64) -> Call {
        let settings = Settings {
            execution_enabled: true,
            registry: Arc::new(Registry::worker_queue(["aider"])),
            ..Settings::default()
        };
        let rules = Rules::named("hardened").expect("the default variant");
        let input = json!({
            "jobId": format!("job-{number}"), "idempotencyKey": format!("key-{number}"), "executor": "aider",
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
        let lose = Lose {
            requeue: Requeue::BackOff,
            charge: Charge::AtStart,
            back_off: Span::from_ms(1_000),
            back_off_max: Span::from_ms(60_000),
            unstarted_max: 5,
            grace: Span::ZERO,
        };
        Claim {
            worker: format!("worker-{}", self.worker).into(),
            incarnation: Some(Incarnation(self.worker)),
            number: Some(self.claims),
            remember: Span::from_ms(600_000),
            take_over: Some((2, lose)),
            ask_switch: true,
            held_max: None,
            executors: Arc::clone(&self.executors),
            token: self.token(),
            lease: Span::from_ms(600_000),
            charge: Charge::AtStart,
            leftovers: Leftovers::Cleared,
        }
    }

    fn completion(&self, record: &Record) -> Operate {
        let lease = record.lease.as_ref().expect("a job that was claimed has a lease");
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
            change: Change::Complete { result: Arc::clone(&self.result), leftovers: Leftovers::Cleared },
            announces: false,
        }
    }

    fn token(&mut self) -> LeaseToken {
        self.tokens += 1;
        LeaseToken::new(&format!("lease-{}-{}", self.worker, self.tokens)).expect("a safe identifier")
    }
}

fn stamped(command: Command) -> Call {
    Call { stamp: Stamp::Store(Floor::Held), command }
}
