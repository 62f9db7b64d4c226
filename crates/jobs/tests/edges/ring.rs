use holdover_jobs::rules::{Blocked, Charge, Leftovers};
use holdover_jobs::*;
use holdover_machine::{Span, StoreTime};
use serde_json::json;
use std::sync::Arc;

fn create(table: &mut Table, now: StoreTime, tenant: &str, name: &str) {
    let input = json!({
        "jobId": name, "idempotencyKey": name, "executor": "aider", "instruction": "build",
        "task": { "workspaceRef": { "id": "w" } }, "subject": { "tenantId": tenant },
        "authorization": { "executionAllowed": true }, "policy": { "sideEffectsAllowed": true },
    });
    let id = JobId::new(name).expect("a safe identifier");
    let request = Request::normalise(&input, &id, &Rules::hardened()).expect("a valid request");
    let spec = Spec {
        job_id: id,
        key: Key { scope: None, text: request.key.clone() },
        fingerprint: request.fingerprint().clone(),
        executor: request.executor.clone(),
        attempts_max: 3,
        cancellation_allowed: true,
        timeout: Span::from_ms(60_000),
        decision: Decision::judge(&request, &Registry::worker_queue(["aider"]), true),
        request: Some(request),
    };
    let create = Create {
        spec: Arc::new(spec),
        compare_id: false,
        limits: None,
        window: Span::ZERO,
        blocked: Blocked::Parked,
    };
    let call = Call { stamp: Stamp::Caller(now), command: Command::Create(Box::new(create)) };
    assert!(matches!(table.execute(now, &call), Reply::Created(Created::New(_))));
}

fn claim(table: &mut Table, now: StoreTime) -> String {
    let claim = Claim {
        worker: "w".into(),
        incarnation: None,
        number: None,
        remember: Span::ZERO,
        take_over: None,
        ask_switch: false,
        held_max: None,
        executors: ["aider".into()].into(),
        token: LeaseToken::new("token").expect("a safe identifier"),
        lease: Span::from_ms(5_000),
        charge: Charge::AtClaim,
        leftovers: Leftovers::Cleared,
    };
    let call = Call { stamp: Stamp::Caller(now), command: Command::Claim(Box::new(claim)) };
    match table.execute(now, &call) {
        Reply::Claimed(Claimed::Granted(grant)) => grant.record.id().to_string(),
        other => format!("{other:?}"),
    }
}

/// Goal: tenants take turns, whoever has more jobs; one whose last job was handed out loses its turn and comes in at
/// the end of the ring when it has another.
#[test]
fn tenants_take_turns() {
    let mut table = Table::new(Order::TenantRing);
    let now = StoreTime::from_ms(1_000);
    for (tenant, name) in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1"), ("c", "c2")] {
        create(&mut table, now, tenant, name);
    }
    assert_eq!([(); 3].map(|()| claim(&mut table, now)), ["a1", "b1", "c1"]);
    create(&mut table, now, "b", "b2");
    assert_eq!([(); 5].map(|()| claim(&mut table, now)), ["a2", "c2", "b2", "a3", "Claimed(Nothing)"]);
}
