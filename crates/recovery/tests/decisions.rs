//! Goal: the decision table in the docs is what the code does. Every row is carried out and written down again.

mod support;

use holdover_machine::{Outcome, Secret, Timestamp};
use holdover_recovery::{
    Aggregate, AttemptStatus, Effect, EventIds, Input, Inspection, Receipt, Recording, Recovery,
    UnknownReason,
};
use support::{NOW, PID, aggregate, feed, loaded, name, page, pass};

const DOCUMENTED: &str = include_str!("../docs/decisions.md");

struct Row {
    situation: &'static str,
    grace_ms: i64,
    now: Timestamp,
    answers: Vec<Input>,
}

/// A situation at a sound clock without grace.
fn row(situation: &'static str, answers: Vec<Input>) -> Row {
    Row { situation, grace_ms: 0, now: NOW, answers }
}

fn late(situation: &'static str, mut answers: Vec<Input>) -> Row {
    let mut all = vec![running(), receipt(Receipt::Missing), gone()];
    all.append(&mut answers);
    Row { situation, grace_ms: 250, now: NOW, answers: all }
}

fn with(status: AttemptStatus, change: impl FnOnce(&mut Aggregate)) -> Input {
    let mut read = aggregate(0, status);
    change(&mut read);
    loaded(read)
}

fn running() -> Input {
    with(AttemptStatus::Running, |_| {})
}

fn receipt(receipt: Receipt) -> Input {
    Input::Processed(Outcome::Ok(receipt))
}

fn seen(inspection: Inspection) -> Input {
    Input::Inspected(Outcome::Ok(inspection))
}

fn alive() -> Input {
    seen(Inspection::Running { identity_pid: PID })
}

fn gone() -> Input {
    seen(Inspection::NotRunning { identity_pid: PID })
}

fn unknown(reason: UnknownReason) -> Input {
    seen(Inspection::Unknown { reason })
}

fn recovered(recovery: Recovery) -> Input {
    Input::Recovered(Outcome::Ok(recovery))
}

fn recorded(recording: Recording) -> Input {
    Input::Recorded(Outcome::Ok(recording))
}

fn nothing() -> Input {
    loaded(Aggregate { run: None, attempt: None })
}

fn claim(answer: Recovery) -> Vec<Input> {
    vec![with(AttemptStatus::Claimed, |_| {}), receipt(Receipt::Missing), recovered(answer)]
}

fn started(mut answers: Vec<Input>) -> Vec<Input> {
    let mut all = vec![running(), receipt(Receipt::Missing)];
    all.append(&mut answers);
    all
}

fn promotion(mut answers: Vec<Input>) -> Vec<Input> {
    let ids = EventIds { attempt_event: "event-1".into(), step_mutation: "event-2".into() };
    let starting = with(AttemptStatus::Starting, |_| {});
    let mut all = vec![starting, receipt(Receipt::Missing), alive(), Input::Drawn(Outcome::Ok(ids))];
    all.append(&mut answers);
    all
}

fn rows() -> Vec<Row> {
    let no_handle = |read: &mut Aggregate| read.attempt.as_mut().expect("an attempt").executor_handle = None;
    let no_hash =
        |read: &mut Aggregate| read.attempt.as_mut().expect("an attempt").callback_token_hash = None;
    let waited = || Input::Waited(Outcome::Ok(()));
    let failure = || Secret::new("text".to_owned());
    vec![
        row("no snapshot", vec![nothing()]),
        row("receipt completed", vec![running(), receipt(Receipt::Completed)]),
        row("receipt of an ended attempt", vec![running(), receipt(Receipt::AlreadyTerminal)]),
        row("receipt invalid", vec![running(), receipt(Receipt::Invalid)]),
        row("claimed, requeued", claim(Recovery::Requeued)),
        row("claimed, already recovered", claim(Recovery::AlreadyRecovered)),
        row("claimed, failed", claim(Recovery::Failed)),
        row("claimed, stale", claim(Recovery::Stale)),
        Row { now: Timestamp::from_ms(-5), ..row("claimed, invalid clock", claim(Recovery::Requeued)) },
        row("started, receipt stale", vec![running(), receipt(Receipt::Stale), alive()]),
        row("started, no handle", vec![with(AttemptStatus::Starting, no_handle), receipt(Receipt::Missing)]),
        row("inspector unavailable", started(vec![unknown(UnknownReason::ProviderUnavailable)])),
        row("handle invalid", started(vec![unknown(UnknownReason::InvalidHandle)])),
        row("platform unsupported", started(vec![unknown(UnknownReason::UnsupportedPlatform)])),
        row("another pid runs", started(vec![seen(Inspection::Running { identity_pid: 1 })])),
        row("another pid is gone", started(vec![seen(Inspection::NotRunning { identity_pid: 1 })])),
        row("running", started(vec![alive()])),
        row(
            "starting and running, no token hash",
            vec![with(AttemptStatus::Starting, no_hash), receipt(Receipt::Missing), alive()],
        ),
        row("starting and running, rejected", promotion(vec![recorded(Recording::Rejected)])),
        row("starting and running, then vanished", promotion(vec![recorded(Recording::Applied), nothing()])),
        row(
            "starting and running, not recorded",
            promotion(vec![recorded(Recording::Applied), with(AttemptStatus::Starting, |_| {})]),
        ),
        row("starting and running, recorded", promotion(vec![recorded(Recording::Applied), running()])),
        row("gone, failed", started(vec![gone(), recovered(Recovery::Failed)])),
        row("gone, already recovered", started(vec![gone(), recovered(Recovery::AlreadyRecovered)])),
        row("gone, requeued", started(vec![gone(), recovered(Recovery::Requeued)])),
        row("gone, stale", started(vec![gone(), recovered(Recovery::Stale)])),
        late("gone, receipt within the grace", vec![waited(), receipt(Receipt::Completed)]),
        late("gone, invalid receipt within the grace", vec![waited(), receipt(Receipt::Invalid)]),
        late("gone, vanished within the grace", vec![waited(), receipt(Receipt::Missing), nothing()]),
        late(
            "gone, failed after the grace",
            vec![waited(), receipt(Receipt::Missing), running(), recovered(Recovery::Failed)],
        ),
        row("a call failed", started(vec![Input::Inspected(Outcome::Failed(failure()))])),
        row(
            "a call may have been carried out",
            vec![running(), Input::Processed(Outcome::Unknown(failure()))],
        ),
    ]
}

/// Carries the row out with one candidate: the calls that were made for it, and what it was counted as.
fn carry_out(row: Row) -> String {
    let mut pass = pass(row.grace_ms);
    feed(&mut pass, row.now, Input::Start);
    let mut outstanding = feed(&mut pass, row.now, Input::Listed(Outcome::Ok(page([0]))));
    let mut calls = Vec::new();
    for answer in row.answers {
        if matches!(outstanding[..], [Effect::Finish(_)]) {
            break;
        }
        calls.extend(outstanding.iter().map(name));
        outstanding = feed(&mut pass, row.now, answer);
    }
    if matches!(outstanding[..], [Effect::List { .. }]) {
        outstanding = feed(&mut pass, row.now, Input::Listed(Outcome::Ok(page([]))));
    }
    let [Effect::Finish(Ok(summary))] = &outstanding[..] else {
        panic!("{}: the pass is not over: {outstanding:?}", row.situation);
    };
    let counts = [
        ("recovered", summary.recovered),
        ("verified", summary.verified),
        ("remaining", summary.remaining),
        ("failed", summary.failed),
    ];
    let counted: Vec<&str> = counts.iter().filter(|(_, count)| *count == 1).map(|(name, _)| *name).collect();
    format!("| {} | {} | {} |\n", row.situation, calls.join(", "), counted.join(" and "))
}

#[test]
fn the_documented_decisions_are_the_ones_made() {
    let table: String = rows().into_iter().map(carry_out).collect();
    let documented = DOCUMENTED.split_once("|---|---|---|\n").map_or("", |(_, rows)| rows);
    assert_eq!(documented, table, "docs/decisions.md should hold:\n{table}");
}
