//! Goal: the transition table in the docs is what the code does. Every row is carried out and written down again.

use crate::support::{NOW, Worker, acknowledged, handle, lease, name, offer, prepared, record};
use holdover_machine::Secret;
use holdover_offers::*;

const DOCUMENTED: &str = include_str!("../../docs/transitions.md");

type Setup = fn(&mut Worker);

fn said(worker: &mut Worker, call: &'static str, nth: u32, reply: Activation) {
    worker.scripted.insert((call, nth), Reply::Activation(reply));
}

fn status(worker: &mut Worker, call: &'static str, status: ActivationStatus) {
    worker.scripted.insert((call, 1), acknowledged(status, lease("a", 3)));
}

fn mismatch() -> Activation {
    Activation::Rejected(FenceReason::VersionMismatch)
}

fn unavailable() -> Activation {
    Activation::Unknown(Secret::new("timeout".into()))
}

fn started(worker: &mut Worker, change: fn(&mut Handle)) {
    let mut handle = handle("a");
    change(&mut handle);
    worker.scripted.insert(("start", 1), Reply::Start(Start::Started(Box::new(handle))));
}

const ROWS: &[(State, &str, Setup)] = &[
    (State::Accepted, "all goes well", |_| {}),
    (State::Accepted, "starting already", |w| {
        status(w, "acknowledge starting", ActivationStatus::AlreadyStarting)
    }),
    (State::Accepted, "running already", |w| {
        status(w, "acknowledge starting", ActivationStatus::AlreadyRunning)
    }),
    (State::Accepted, "ended already", |w| {
        status(w, "acknowledge starting", ActivationStatus::AlreadyTerminal)
    }),
    (State::Accepted, "starting refused for its version", |w| said(w, "acknowledge starting", 1, mismatch())),
    (State::Accepted, "starting unanswered", |w| said(w, "acknowledge starting", 1, unavailable())),
    (State::StartingAcknowledged, "a newer lease is tracked", |w| w.tracked = Some(lease("a", 9))),
    (State::StartingAcknowledged, "another lease is tracked", |w| {
        w.tracked = Some(Lease { lease_generation: 1, ..lease("a", 9) });
    }),
    (State::StartingAcknowledged, "the lease cannot be tracked", |w| {
        w.scripted.insert(("track", 1), Reply::Tracked(Err(Refusal::Concurrency)));
    }),
    (State::StartingAcknowledged, "the preparation fails", |w| {
        w.scripted.insert(("prepare", 1), Reply::Prepared(None));
    }),
    (State::StartingAcknowledged, "the completion token is weak", |w| {
        w.scripted.insert(("prepare", 1), prepared("short"));
    }),
    (State::StartingAcknowledged, "the write of launching fails", |w| {
        w.scripted.insert(("write", 1), Reply::Replaced(Err(JournalError::Io)));
    }),
    (State::StartingAcknowledged, "nothing starts", |w| {
        w.scripted.insert(("start", 1), Reply::Start(Start::Failed));
    }),
    (State::StartingAcknowledged, "nobody knows whether it starts", |w| {
        w.scripted.insert(("start", 1), Reply::Start(Start::Unknown));
    }),
    (State::StartingAcknowledged, "another attempt starts", |w| {
        started(w, |handle| handle.attempt_id = "b".into())
    }),
    (State::StartingAcknowledged, "the handle cannot be journaled", |w| {
        started(w, |handle| handle.durable_handle = Some("".into()))
    }),
    (State::StartingAcknowledged, "the write of started fails", |w| {
        w.scripted.insert(("write", 2), Reply::Replaced(Err(JournalError::Revision)));
    }),
    (State::Launching, "-", |_| {}),
    (State::Started, "all goes well", |_| {}),
    (State::Started, "running already", |w| {
        status(w, "acknowledge running", ActivationStatus::AlreadyRunning)
    }),
    (State::Started, "ended already", |w| {
        status(w, "acknowledge running", ActivationStatus::AlreadyTerminal)
    }),
    (State::Started, "running refused for its version, once", |w| {
        said(w, "acknowledge running", 1, mismatch())
    }),
    (State::Started, "running refused for its version, always", |w| {
        said(w, "acknowledge running", 1, mismatch());
        said(w, "acknowledge running", 2, mismatch());
    }),
    (State::Started, "running refused", |w| {
        said(w, "acknowledge running", 1, Activation::Rejected(FenceReason::LeaseExpired))
    }),
    (State::Started, "running unanswered", |w| said(w, "acknowledge running", 1, unavailable())),
    (State::StartFailed, "all goes well", |_| {}),
    (State::StartFailed, "ended already", |w| status(w, "fail start", ActivationStatus::AlreadyTerminal)),
    (State::StartFailed, "running already", |w| status(w, "fail start", ActivationStatus::AlreadyRunning)),
    (State::StartFailed, "the failure refused for its version, once", |w| {
        said(w, "fail start", 1, mismatch())
    }),
    (State::StartFailed, "the failure unanswered", |w| said(w, "fail start", 1, unavailable())),
    (State::RunningAcknowledged, "-", |_| {}),
    (State::StartFailureAcknowledged, "-", |_| {}),
    (State::CompletionAcknowledged, "-", |_| {}),
    (State::RecoveryRequired, "-", |_| {}),
];

fn written(result: &Result<Received, OfferError>) -> String {
    match result {
        Ok(Received::RecoveryRequired { reason }) => format!("recovery_required, {}", name(reason)),
        Ok(received) => received.status().to_owned(),
        Err(error) => format!("error: {}", error.class()),
    }
}

/// Lets one delivery find a record in the row's state, and writes down what the worker was asked for.
fn carried_out(&(state, situation, setup): &(State, &str, Setup)) -> String {
    let mut worker = Worker::new();
    worker.directory.restore(record(offer("a", 3), state));
    setup(&mut worker);
    worker.deliver(offer("a", 3));
    assert!(worker.scripted.is_empty(), "{state}, {situation}: the scripted reply was not asked for");
    let [answer] = &worker.answers[..] else { panic!("{state}, {situation}: one answer expected") };
    let arrival = if state == State::CompletionAcknowledged { 1 } else { 3 };
    let calls = match worker.calls[arrival..].join(", ") {
        none if none.is_empty() => "-".to_owned(),
        calls => calls,
    };
    format!("| {state} | {situation} | {calls} | {} |", written(answer))
}

#[test]
fn every_row_is_what_happens() {
    let rows: Vec<String> = ROWS.iter().map(carried_out).collect();
    let documented: Vec<&str> = DOCUMENTED.lines().filter(|line| line.starts_with('|')).skip(2).collect();
    assert!(documented == rows, "the table must read:\n{}\n", rows.join("\n"));
}

/// Goal: no state is missing from the table.
#[test]
fn every_state_has_a_row() {
    for state in State::ALL {
        assert!(ROWS.iter().any(|row| row.0 == state), "{state} is not in the table");
    }
}

/// Goal: time in a record never goes back, and every write is the next revision.
#[test]
fn a_clock_that_steps_back_does_not_show() {
    let mut worker = Worker::new();
    worker.directory.restore(record(offer("a", 3), State::Started));
    worker.clock = crate::support::at(1);
    worker.deliver(offer("a", 3));
    let record = worker.directory.records().next().unwrap();
    assert_eq!((record.state, record.revision), (State::RunningAcknowledged, 8));
    assert!(record.updated_at < NOW && record.updated_at >= record.accepted_at);
}
