//! The bounds of what can be stored.

use crate::differential::Sides;
use crate::{Failure, ManualClock, Part, PartReport, Subject};
use holdover_jobs::{
    Announcement, Call, Claim, Command, Health, Incarnation, JobId, Key, LeaseToken, ListExpired, Order,
    Policy, Registry, Request, Rules, Service, ServiceEffect, ServiceInput, ServiceRequest, Settings, Stamp,
    rules,
};
use holdover_machine::{Machine, Span, StoreTime, Timestamp};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::runtime::Runtime;

/// The latest time that a JSON number holds exactly.
const TIME_MAX: i64 = (1 << 53) - 1;
/// The longest safe identifier.
const ID_UNITS_MAX: usize = holdover_jobs::IDENTIFIER_UNITS_MAX;

pub(crate) fn run<S: Subject>(subject: &S, runtime: &Runtime) -> PartReport {
    let mut report = PartReport::new(Part::Edges, "calls");
    for (name, calls) in [("an empty store", empty()), ("bounds", bounds())] {
        let verdict = runtime.block_on(async {
            let clock = ManualClock::default();
            let store = subject.open(Order::Created, clock.clone()).await;
            let store = store.map_err(|error| format!("the store was not opened: {error}"))?;
            let mut sides = Sides::new(store, Order::Created, clock);
            for call in &calls {
                sides.compare(call).await?;
            }
            sides.compare_all().await
        });
        report.compared += calls.len() as u64;
        if let Err(what) = verdict {
            report.fail(Failure::new(name, what));
        }
    }
    report
}

fn at(ms: i64, command: Command) -> Call {
    Call { stamp: Stamp::Caller(StoreTime::from_ms(ms)), command }
}

fn id(text: &str) -> JobId {
    JobId::new(text).expect("a safe identifier")
}

/// Everything that can be asked of a store in which there is nothing.
fn empty() -> Vec<Call> {
    let nobody = || id("nobody");
    [
        Command::Load(nobody()),
        Command::FindByKey(Key { scope: None, text: "".into() }),
        Command::FindByKey(Key { scope: Some("".into()), text: "k".into() }),
        claim(&["aider"], "t"),
        claim(&[], "t"),
        Command::ListExpired(ListExpired { limit: 0, grace: Span::ZERO }),
        Command::ListExpired(ListExpired { limit: u32::MAX, grace: Span::ZERO }),
        Command::QueueStats,
        Command::Events { job: nobody(), after: 0, limit: 10 },
        Command::Events { job: nobody(), after: u64::MAX, limit: u64::MAX },
        Command::Workers { stale_after: Span::ZERO },
        Command::Switch { open: false },
        claim(&["aider"], "t"),
    ]
    .map(|command| at(0, command))
    .into()
}

/// The longest and the oddest texts, at the first and the last time.
fn bounds() -> Vec<Call> {
    let long = "A".repeat(ID_UNITS_MAX);
    let mut calls = Vec::new();
    for (time, job, key, text) in [
        (0, long.as_str(), "k".repeat(128), "x".repeat(4_000)),
        (0, "_", "\u{1F511}\u{0}'\"\\;--".to_owned(), "\u{0}\u{7f}\u{FFFD}\u{10FFFF}".to_owned()),
        (TIME_MAX, "0:-_z", "ключ".to_owned(), String::new()),
    ] {
        calls.extend(create(time, job, &key, &text));
        calls.push(at(time, Command::FindByKey(Key { scope: None, text: key.as_str().into() })));
        calls.push(at(time, claim(&["nobody", "aider"], job)));
        calls.push(at(time, Command::Events { job: id(job), after: 1, limit: u64::MAX }));
        calls.push(at(time, Command::Events { job: id(job), after: u64::MAX, limit: 0 }));
    }
    let announcement = Announcement {
        worker: "wörker\u{0}".into(),
        health: [Health { executor: "aider".into(), ok: false, code: Some("\u{1F4A5}".into()) }].into(),
        draining: true,
    };
    calls.push(at(TIME_MAX, Command::Announce(announcement)));
    calls.push(at(0, Command::Workers { stale_after: Span::ZERO }));
    calls.push(at(TIME_MAX, Command::ListExpired(ListExpired { limit: 2, grace: Span::ZERO })));
    calls.push(at(0, Command::ListExpired(ListExpired { limit: 2, grace: Span::from_ms(TIME_MAX) })));
    calls
}

fn claim(executors: &[&str], token: &str) -> Command {
    Command::Claim(Box::new(Claim {
        worker: "w".into(),
        incarnation: Some(Incarnation(u64::from(u32::MAX))),
        number: None,
        remember: Span::ZERO,
        take_over: None,
        ask_switch: true,
        held_max: Some(u32::MAX),
        executors: executors.iter().map(|executor| (*executor).into()).collect(),
        token: LeaseToken::new(token).expect("a safe identifier"),
        lease: Span::from_ms(1),
        charge: rules::Charge::AtClaim,
        leftovers: rules::Leftovers::Kept,
    }))
}

/// The call that a service makes of a create at this time.
fn create(ms: i64, job: &str, key: &str, text: &str) -> Option<Call> {
    let rules = Rules::with(holdover_jobs::KNOBS.iter().filter(|knob| knob.id == "admission"));
    let settings = Settings {
        execution_enabled: true,
        registry: Arc::new(Registry::worker_queue(["aider"])),
        ..Settings::default()
    };
    let mut service = Service::new(Arc::new(Policy { rules, settings }));
    let input: Value = json!({
        "jobId": job, "idempotencyKey": key, "executor": "aider", "instruction": format!("i{text}"),
        "task": { "workspaceRef": { "id": "w" } }, "authorization": { "executionAllowed": true },
        "policy": { "sideEffectsAllowed": true }, "metadata": { "text": text, "number": -0.5e-7 },
    });
    let request = Request::normalise(&input, &id("drawn"), &rules).ok()?;
    let mut effects = Vec::new();
    let input = ServiceInput::Request(1, ServiceRequest::Create(request));
    service.handle(Timestamp::from_ms(ms), input, &mut effects);
    match effects.pop()? {
        ServiceEffect::Store(_, call) => Some(at(ms, call.command)),
        _ => None,
    }
}
