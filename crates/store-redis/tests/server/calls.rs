//! The calls of one worker process under the hardened rules.

use holdover_jobs::{
    Announcement, Call, Claim, ClaimMany, ClaimRequest, Claimed, Command, Grant, Health, Holder, Incarnation,
    JobError, JobId, JobResult, LeaseOperation, LeaseRequest, LeaseToken, Operate, Operated, Policy, Record,
    Registry, Reply, Request, Rules, Service, ServiceEffect, ServiceInput, ServiceRequest, Settings,
    SettleAndClaim,
};
use holdover_machine::{Machine, Outcome, Span, Timestamp};
use serde_json::json;
use std::sync::Arc;

pub(crate) const LEASE: Span = Span::from_ms(60_000);

/// The call that a service makes of a request; a worker that announces itself is heard first.
fn call(request: ServiceRequest) -> Call {
    let settings = Settings {
        execution_enabled: true,
        registry: Arc::new(Registry::worker_queue(["aider", "goosed"])),
        ..Settings::default()
    };
    let rules = Rules::named("hardened").expect("the default variant");
    let mut service = Service::new(Arc::new(Policy { rules, settings }));
    let mut input = ServiceInput::Request(0, request);
    loop {
        let mut effects = Vec::new();
        service.handle(Timestamp::from_ms(0), input, &mut effects);
        match effects.pop() {
            Some(ServiceEffect::Store(flight, Call { command: Command::Announce(_), .. })) => {
                input = ServiceInput::Stored(flight, Outcome::Ok(Reply::Done));
            }
            Some(ServiceEffect::Store(_, call)) => return call,
            other => panic!("a service asks the store, not {other:?}"),
        }
    }
}

pub(crate) fn id(text: &str) -> JobId {
    JobId::new(text).expect("a safe identifier")
}

pub(crate) fn token(text: &str) -> LeaseToken {
    LeaseToken::new(text).expect("a safe identifier")
}

pub(crate) fn create(number: u32) -> Call {
    let input = json!({
        "jobId": format!("job-{number}"), "idempotencyKey": format!("key-{number}"), "executor": "aider",
        "task": { "instruction": "build it", "workspaceRef": { "id": "w" } },
        "subject": { "tenantId": "t", "userId": "u" },
        "authorization": { "executionAllowed": true }, "policy": { "sideEffectsAllowed": true },
    });
    let rules = Rules::named("hardened").expect("the default variant");
    let request = Request::normalise(&input, &id("fresh"), &rules).expect("a request as it should be");
    call(ServiceRequest::Create(request))
}

pub(crate) fn claim(number: u64, executors: &[&str]) -> Call {
    let worker = "worker".into();
    let health = executors.iter().map(|name| Health { executor: (*name).into(), ok: true, code: None });
    call(ServiceRequest::Claim(Box::new(ClaimRequest {
        worker: Arc::clone(&worker),
        incarnation: Some(Incarnation(1)),
        number: Some(number),
        held_max: Some(1_000),
        executors: executors.iter().map(|name| (*name).into()).collect(),
        announcement: Announcement { worker, health: health.collect(), draining: false },
        lease: LEASE,
        token: token(&format!("token-{number}")),
        echo: None,
    })))
}

fn claim_of(number: u64) -> Claim {
    match claim(number, &["aider"]).command {
        Command::Claim(claim) => *claim,
        other => panic!("a claim is a claim, not {other:?}"),
    }
}

pub(crate) fn claim_many(number: u64, jobs: u64) -> Call {
    let more = (1..jobs).map(|more| token(&format!("token-{number}-{more}"))).collect();
    let many = ClaimMany { claim: claim_of(number), more };
    Call { command: Command::ClaimMany(Box::new(many)), ..claim(number, &["aider"]) }
}

pub(crate) fn complete(record: &Record) -> Call {
    let result = Arc::new(JobResult::read(None).expect("an empty result"));
    operate(record, LeaseOperation::Complete { result })
}

pub(crate) fn fail(record: &Record) -> Call {
    let error = json!({ "code": "E", "message": "it broke", "retryable": true });
    let error = Arc::new(JobError::read(Some(&error)).expect("an error as it should be"));
    operate(record, LeaseOperation::Fail { error, delay: Span::ZERO })
}

pub(crate) fn complete_and_claim(record: &Record, number: u64) -> Call {
    let both = SettleAndClaim { settle: operation(record), claim: claim_of(number) };
    Call { command: Command::SettleAndClaim(Box::new(both)), ..complete(record) }
}

pub(crate) fn complete_many<'a>(records: impl Iterator<Item = &'a Record>) -> Call {
    let operations: Vec<Operate> = records.map(operation).collect();
    Call { command: Command::OperateMany(operations.into()), ..claim(0, &["aider"]) }
}

fn operation(record: &Record) -> Operate {
    match complete(record).command {
        Command::Operate(operate) => *operate,
        other => panic!("a completion is an operation, not {other:?}"),
    }
}

pub(crate) fn operate(record: &Record, operation: LeaseOperation) -> Call {
    let lease = record.lease.as_ref().expect("a held job has a lease");
    let holder =
        Holder { token: lease.token.clone(), attempt: Some(lease.attempt), incarnation: lease.incarnation };
    let request = LeaseRequest { job: record.id().clone(), holder, operation, echo: None };
    call(ServiceRequest::Lease(Box::new(request)))
}

pub(crate) fn granted(reply: Reply) -> Grant {
    match reply {
        Reply::Claimed(Claimed::Granted(grant))
        | Reply::SettledAndClaimed { claimed: Claimed::Granted(grant), .. } => grant,
        other => panic!("a job is there for every claim, not {other:?}"),
    }
}

pub(crate) fn applied(reply: Reply) -> Arc<Record> {
    match reply {
        Reply::Operated(Operated::Applied { record, replayed: false, .. }) => record,
        other => panic!("a job that is held is operated on, not {other:?}"),
    }
}
