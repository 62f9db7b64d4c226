//! What crosses a wire comes out as it went in: commands and replies between service and store, requests and
//! answers between worker and service.

use holdover_jobs::worker::WorkerAnswer;
use holdover_jobs::{
    Answered, Drawn, Error, JobId, LeaseToken, Policy, Refusal, Registry, Rules, Service, ServiceEffect,
    ServiceInput, ServiceRequest, Settings, Table,
};
use holdover_machine::{Machine, Outcome, StoreTime, Timestamp};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{fmt::Debug, sync::Arc};

fn drawn() -> Drawn {
    let (job_id, token) = (JobId::new("drawn"), LeaseToken::new("drawn-token"));
    Drawn { job_id: job_id.expect("a safe identifier"), token: token.expect("a safe identifier") }
}

fn policy(rules: Rules) -> Policy {
    let registry = Arc::new(Registry::worker_queue(["aider"]));
    Policy { rules, settings: Settings { execution_enabled: true, registry, ..Settings::default() } }
}

fn through_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("it can be written");
    let back = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(&back, value, "{text}");
    back
}

/// Asks a service over a table; every command and reply crosses a wire on its way.
fn ask(policy: &Policy, table: &mut Table, at: i64, request: ServiceRequest) -> Answered {
    let mut service = Service::new(Arc::new(policy.clone()));
    let mut effects = Vec::new();
    service.handle(Timestamp::from_ms(at), ServiceInput::Request(1, request), &mut effects);
    loop {
        match effects.remove(0) {
            ServiceEffect::Store(id, call) => {
                let reply = table.execute(StoreTime::from_ms(at), &through_json(&call));
                let stored = ServiceInput::Stored(id, Outcome::Ok(through_json(&reply)));
                service.handle(Timestamp::from_ms(at), stored, &mut effects);
            }
            ServiceEffect::Answer(_, answer) => return answer,
            ServiceEffect::Admit(..) => unreachable!("no admission policy is asked"),
        }
    }
}

/// The story of a few jobs, by time, operation and arguments; `$` in place of a token or attempt is the last one.
fn story() -> Vec<(i64, &'static str, Value)> {
    let create = |job: &str, attempts: u32| {
        json!({ "input": {
            "jobId": job, "idempotencyKey": format!("key of {job}"), "executor": "aider",
            "task": { "instruction": "build", "workspaceRef": { "id": "w" }, "inputRefs": [{ "id": "i" }] },
            "subject": { "tenantId": "t", "userId": "u" },
            "authorization": { "executionAllowed": true, "actorId": "a" }, "policy": { "sideEffectsAllowed": true },
            "controls": { "maxAttempts": attempts }, "metadata": { "n": 1.5, "list": [null, true, "x"] },
        } })
    };
    let claim = |number: u64| {
        json!({ "workerId": "w", "executors": ["aider"], "adapterHealth": { "aider": { "ok": true } },
            "leaseDurationMs": 5_000, "incarnation": 7, "claimNumber": number, "leasesMax": 2, "echoMs": 3 })
    };
    let held = |job: &str, more: Value| {
        let mut members = json!({ "jobId": job, "leaseToken": "$", "attempt": "$", "incarnation": 7 });
        let Value::Object(more) = more else { return members };
        members.as_object_mut().expect("an object").extend(more);
        members
    };
    vec![
        (0, "create", create("a", 3)),
        (0, "create", create("a", 3)),
        (1, "create", create("b", 1)),
        (2, "claim", claim(1)),
        (2, "claim", claim(1)),
        (3, "start", held("a", json!({}))),
        (4, "progress", held("a", json!({ "type": "executor_job_half", "data": { "done": 0.5 } }))),
        (5, "heartbeat", held("a", json!({ "leaseDurationMs": 6_000 }))),
        (6, "fail", held("a", json!({ "error": { "message": "no", "retryable": true }, "retryDelayMs": 9 }))),
        (7, "complete", held("a", json!({}))),
        (8, "claim", claim(2)),
        (9, "start", held("b", json!({}))),
        (9, "cancel", json!({ "jobId": "b", "reason": "enough" })),
        (9, "acknowledge", held("b", json!({}))),
        (6_000, "claim", claim(3)),
        (6_001, "start", held("a", json!({}))),
        (60_000, "recoverExpired", json!({ "limit": 5 })),
        (90_000, "claim", claim(4)),
        (90_001, "complete", held("a", json!({ "result": { "summary": "done", "metrics": { "m": 2 } } }))),
        (90_002, "start", held("a", json!({}))),
        (90_003, "complete", held("a", json!({ "result": { "summary": "done", "metrics": { "m": 2 } } }))),
        (90_004, "listEvents", json!({ "jobId": "a" })),
        (90_005, "stats", json!({})),
        (90_006, "getJob", json!({ "jobId": "a", "includeRequest": true })),
    ]
}

/// Goal: a service behind wires answers as one in the same process, and its worker learns the same from either.
#[test]
fn nothing_is_lost_on_a_wire() {
    for name in ["hardened", "original"] {
        let policy = policy(Rules::named(name).expect("a variant"));
        let mut table = Table::new(policy.order());
        let (mut token, mut attempt, mut learned) = (Value::Null, Value::Null, Vec::new());
        for (at, operation, mut args) in story() {
            if args.get("leaseToken").is_some() {
                args["leaseToken"] = token.clone();
                args["attempt"] = attempt.clone();
            }
            let request = ServiceRequest::read(operation, &args, &policy, &drawn()).expect("valid");
            if let Some((operation, args)) = request.to_wire() {
                let again = ServiceRequest::read(operation, &args, &policy, &drawn());
                assert_eq!(again.as_ref(), Ok(&request), "{operation} {args}");
            }
            let worker = request.to_wire().is_some();
            let answer = ask(&policy, &mut table, at, request);
            let wire = answer.as_ref().map(|answer| answer.to_json()).map_err(Error::to_json);
            if let Some(granted) = wire.as_ref().ok().and_then(|wire| wire.get("leaseToken")) {
                token = granted.clone();
                attempt =
                    wire.as_ref().expect("granted").pointer("/standing/attempt").expect("there").clone();
            }
            if worker {
                let over_wire = match &wire {
                    Ok(wire) => WorkerAnswer::read(operation, wire),
                    Err(refusal) => WorkerAnswer::refused(refusal["code"].as_str().expect("a text")),
                };
                assert_eq!(over_wire, WorkerAnswer::of(&answer), "{operation} at {at}");
                learned.push(std::mem::discriminant(&over_wire));
            }
        }
        learned.dedup();
        assert!(learned.len() > 4, "{name}: grants, nothing, carried out and refusals alternate");
    }
}

/// Goal: each refusal says to a worker what it may rely on.
#[test]
fn refusals_as_workers_learn_them() {
    let action = holdover_jobs::Action::Complete;
    let refused = |reason| Error::Refused { action, reason, current: None };
    for (error, learned) in [
        (Error::ClaimOver { number: 1 }, WorkerAnswer::ClaimOver),
        (Error::ClaimStale { number: 1, last: 2 }, WorkerAnswer::ClaimOver),
        (refused(Refusal::LeaseMismatch), WorkerAnswer::Lost),
        (refused(Refusal::AttemptSettled), WorkerAnswer::Lost),
        (refused(Refusal::NotFound), WorkerAnswer::Lost),
        (refused(Refusal::StatusMismatch), WorkerAnswer::OutOfTurn),
        (Error::StoreUnavailable("down".into()), WorkerAnswer::Unanswered),
        (Error::OutcomeUnknown("lost".into()), WorkerAnswer::Unanswered),
    ] {
        assert_eq!(WorkerAnswer::refused(error.code().0), learned, "{error}");
        assert_eq!(WorkerAnswer::of(&Err(error)), learned);
    }
    for malformed in [json!(null), json!({ "job": {} }), json!({ "code": 7 }), json!([])] {
        assert_eq!(WorkerAnswer::read("start", &malformed), WorkerAnswer::Unanswered, "{malformed}");
    }
}
