//! Goal: what a caller is told where an answer stands at an edge. Each row is a call and a member of its answer.

use holdover_jobs::{
    AdmissionPolicy, Drawn, JobId, LeaseToken, Policy, Registry, Rules, Service, ServiceEffect, ServiceInput,
    ServiceRequest, Settings, Table,
};
use holdover_machine::{Machine, Outcome, StoreTime, Timestamp};
use serde_json::{Value, json};
use std::sync::Arc;

/// One job, claimed by `w` and not started; its log has two events.
struct Asked {
    policy: Arc<Policy>,
    table: Table,
}

impl Asked {
    fn under(variant: &str) -> Self {
        let rules = Rules::named(variant).expect("a variant");
        let registry = Arc::new(Registry::worker_queue(["aider"]));
        let settings = Settings { execution_enabled: true, registry, ..Settings::default() };
        let mut asked =
            Self { table: Table::new(rules.order()), policy: Arc::new(Policy { rules, settings }) };
        let create = json!({ "input": {
            "jobId": "a", "idempotencyKey": "k", "executor": "aider", "instruction": "build",
            "task": { "workspaceRef": { "id": "w" } }, "authorization": { "executionAllowed": true },
            "policy": { "sideEffectsAllowed": true },
        } });
        asked.ask("create", &create);
        let claim = json!({ "workerId": "w", "executors": ["aider"], "incarnation": 7, "claimNumber": 1 });
        let answer = asked.ask("claim", &claim);
        assert_eq!(answer["job"]["status"], "leased", "{answer}");
        asked
    }

    fn ask(&mut self, operation: &str, args: &Value) -> Value {
        let drawn = Drawn {
            job_id: JobId::new("drawn").expect("a safe identifier"),
            token: LeaseToken::new("secret").expect("a safe identifier"),
        };
        let request = ServiceRequest::read(operation, args, &self.policy, &drawn).expect("a request");
        let (mut service, mut effects) = (Service::new(Arc::clone(&self.policy)), Vec::new());
        let mut input = ServiceInput::Request(1, request);
        loop {
            service.handle(Timestamp::from_ms(5), input, &mut effects);
            input = match effects.pop().expect("an effect") {
                ServiceEffect::Answer(_, Ok(answer)) => return answer.to_json(),
                ServiceEffect::Answer(_, Err(error)) => return error.to_json(),
                ServiceEffect::Store(id, call) => {
                    ServiceInput::Stored(id, Outcome::Ok(self.table.execute(StoreTime::from_ms(5), &call)))
                }
                ServiceEffect::Admit(..) => unreachable!("no admission policy is asked"),
            };
        }
    }
}

/// A cursor at the last event has read everything and is not beyond it; the next one is.
#[test]
fn a_cursor_at_the_end_is_no_error() {
    let mut asked = Asked::under("hardened");
    for (after, member, value) in [
        (2, "/events", json!([])),
        (2, "/nextCursor", json!(2)),
        (3, "/code", json!("EXECUTOR_EVENT_CURSOR_BEYOND_END")),
    ] {
        let answer = asked.ask("listEvents", &json!({ "jobId": "a", "after": after }));
        assert_eq!(answer.pointer(member), Some(&value), "{answer}");
    }
}

/// Who holds the lease is told the status that refuses it; a stranger learns nothing of the job where the lease is asked
/// first, and everything where the status is.
#[test]
fn a_stranger_is_told_nothing() {
    for (variant, token, told) in [
        ("hardened", "secret", json!("leased")),
        ("hardened", "guess", Value::Null),
        ("original", "guess", json!("leased")),
    ] {
        let mut asked = Asked::under(variant);
        let operation = if variant == "original" { "start" } else { "complete" };
        let args = json!({ "jobId": "a", "leaseToken": token, "attempt": 1, "incarnation": 7 });
        let answer = asked.ask(operation, &args);
        assert_eq!(answer.pointer("/details/currentStatus"), Some(&told), "{variant} {token}: {answer}");
    }
}

/// A job that waits parked is judged anew when its create is repeated, by the admission policy outside too; one that is
/// queued is not judged twice.
#[test]
fn a_parked_job_is_judged_again() {
    let input = json!({ "input": {
        "jobId": "b", "idempotencyKey": "l", "executor": "aider", "instruction": "build",
        "task": { "workspaceRef": { "id": "w" } }, "authorization": { "executionAllowed": true },
        "policy": { "sideEffectsAllowed": true },
    } });
    let mut table = Table::new(Rules::named("hardened").expect("a variant").order());
    let mut create = |enabled: bool| {
        let rules = Rules::named("hardened").expect("a variant");
        let registry = Arc::new(Registry::worker_queue(["aider"]));
        let admission = AdmissionPolicy::Asked;
        let settings = Settings { execution_enabled: enabled, registry, admission, ..Settings::default() };
        let policy = Arc::new(Policy { rules, settings });
        let drawn = Drawn {
            job_id: JobId::new("drawn").expect("a safe identifier"),
            token: LeaseToken::new("secret").expect("a safe identifier"),
        };
        let request = ServiceRequest::read("create", &input, &policy, &drawn).expect("a request");
        let (mut service, mut effects, mut asked) = (Service::new(policy), Vec::new(), 0);
        let mut input = ServiceInput::Request(1, request);
        loop {
            service.handle(Timestamp::from_ms(5), input, &mut effects);
            input = match effects.pop().expect("an effect") {
                ServiceEffect::Answer(_, answer) => {
                    return (asked, answer.expect("an answer").to_json()["job"]["status"].clone());
                }
                ServiceEffect::Store(id, call) => {
                    ServiceInput::Stored(id, Outcome::Ok(table.execute(StoreTime::from_ms(5), &call)))
                }
                ServiceEffect::Admit(id, _) => {
                    asked += 1;
                    ServiceInput::Admitted(id, json!({ "admitted": true, "allowed": true }))
                }
            };
        }
    };
    assert_eq!(create(false), (0, json!("blocked")));
    assert_eq!(create(true), (1, json!("queued")));
    assert_eq!(create(true), (0, json!("queued")));
}
