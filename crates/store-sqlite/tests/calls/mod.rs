//! Calls on a store.

use holdover_jobs::rules::{Charge, Floor, Leftovers};
use holdover_jobs::{
    Call, Claim, Command, Incarnation, JobId, LeaseToken, Policy, Registry, Request, Rules, Service,
    ServiceEffect, ServiceInput, ServiceRequest, Settings, Stamp, Text,
};
use holdover_machine::{Machine, Span, Timestamp};
use serde_json::json;
use std::sync::Arc;

/// The call by which a service creates a job.
pub(crate) fn create(number: u64) -> Call {
    let registry = Arc::new(Registry::worker_queue(["aider"]));
    let settings = Settings { execution_enabled: true, registry, ..Settings::default() };
    let rules = Rules::named("hardened").expect("the default variant");
    let input = json!({
        "jobId": format!("job-{number}"), "idempotencyKey": format!("key-{number}"), "executor": "aider",
        "task": { "instruction": "build it", "workspaceRef": { "id": "w" } },
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

/// A claim, with or without a number.
pub(crate) fn claim(worker: &str, number: Option<u64>) -> Call {
    claim_of(worker, number, ["aider".into()].into())
}

/// A claim of a job for one of these executors.
pub(crate) fn claim_of(worker: &str, number: Option<u64>, executors: Arc<[Text]>) -> Call {
    stamped(Command::Claim(Box::new(Claim {
        worker: worker.into(),
        incarnation: Some(Incarnation(1)),
        number,
        remember: Span::from_ms(600_000),
        take_over: None,
        ask_switch: true,
        held_max: None,
        executors,
        token: LeaseToken::new("token").expect("a safe identifier"),
        lease: Span::from_ms(60_000),
        charge: Charge::AtStart,
        leftovers: Leftovers::Cleared,
    })))
}

/// The operator's switch.
#[allow(dead_code, reason = "not every test program has a use for it")]
pub(crate) fn switch(open: bool) -> Call {
    stamped(Command::Switch { open })
}

fn stamped(command: Command) -> Call {
    Call { stamp: Stamp::Store(Floor::Held), command }
}
