//! Goal: the transition table and the crash table in the docs are what the code does. Every row is carried out and
//! written down again.

use super::bench::{Bench, DEADLINE, NOW};
use holdover_machine::Timestamp;
use holdover_runs::{Input, RunStatus};
use serde_json::json;

const TRANSITIONS: &str = include_str!("../../docs/transitions.md");
const CRASHES: &str = include_str!("../../docs/crashes.md");

type Play = fn(&mut Bench);

fn nothing(_: &mut Bench) {}

fn creating(bench: &mut Bench) {
    bench.accept();
}

fn with_handle(bench: &mut Bench) {
    creating(bench);
    bench.announce();
}

fn accepted(bench: &mut Bench) {
    with_handle(bench);
    bench.prepared();
}

fn running(bench: &mut Bench) {
    accepted(bench);
    bench.subscribe();
}

fn pending(bench: &mut Bench) {
    running(bench);
    bench.emit_approval();
    bench.want_approval();
}

fn cancelled_early(bench: &mut Bench) {
    creating(bench);
    bench.cancel();
}

fn cancelled_late(bench: &mut Bench) {
    with_handle(bench);
    bench.cancel();
}

fn completed(bench: &mut Bench) {
    running(bench);
    bench.ended(RunStatus::Completed);
}

fn restart(bench: &mut Bench) {
    *bench = Bench::new(bench.stored.take());
    if bench.log == ["recover"] {
        bench.recovered();
    }
}

fn alarm(bench: &mut Bench) {
    bench.alarm(DEADLINE);
}

/// A situation, what happens in it, and its name.
const ROWS: &[(Play, &str, Play)] = &[
    (nothing, "accept", creating),
    (nothing, "cancel", Bench::cancel),
    (creating, "handle announced", Bench::announce),
    (with_handle, "prepared", Bench::prepared),
    (creating, "preparation fails", Bench::preparation_failed),
    (with_handle, "preparation fails, recovered", |bench| {
        bench.preparation_failed();
        bench.recovered();
    }),
    (creating, "cancel", Bench::cancel),
    (cancelled_early, "handle announced after the cancel, preparation fails", |bench| {
        bench.announce();
        bench.preparation_failed();
    }),
    (cancelled_late, "prepared after the cancel, abandoned", |bench| {
        bench.prepared();
        bench.ended(RunStatus::Cancelled);
    }),
    (accepted, "subscribe", |bench| {
        bench.subscribe();
    }),
    (accepted, "cancel, abandoned", |bench| {
        bench.cancel();
        bench.ended(RunStatus::Cancelled);
    }),
    (accepted, "alarm too early", |bench| bench.alarm(NOW)),
    (accepted, "alarm at the deadline, abandoned", |bench| {
        bench.alarm(DEADLINE);
        bench.ended(RunStatus::Cancelled);
    }),
    (running, "event", |bench| bench.emit(json!({ "kind": "text" }))),
    (running, "approval required", Bench::emit_approval),
    (pending, "approval required, another pending", Bench::emit_approval),
    (pending, "decision, a call waiting", Bench::decide),
    (running, "decision, none pending", Bench::decide),
    (running, "cancel", Bench::cancel),
    (pending, "cancel, a call waiting", Bench::cancel),
    (running, "subscriber leaves", |bench| {
        let subscriber = holdover_runs::RequestId(2);
        bench.feed(NOW, Input::Disconnected(subscriber));
    }),
    (running, "second subscriber", |bench| {
        bench.subscribe();
    }),
    (running, "alarm", alarm),
    (running, "runtime completes", |bench| bench.ended(RunStatus::Completed)),
    (running, "runtime fails, recovered", |bench| {
        bench.failed();
        bench.recovered();
    }),
    (running, "runtime is still running, recovered", |bench| {
        bench.ended(RunStatus::Running);
        bench.recovered();
    }),
    (creating, "restart", restart),
    (accepted, "restart, recovered", restart),
    (running, "restart, recovered", restart),
    (completed, "accept", creating),
    (completed, "subscribe", |bench| {
        bench.subscribe();
    }),
    (completed, "cancel", Bench::cancel),
    (completed, "decision", Bench::decide),
    (completed, "alarm", alarm),
    (completed, "restart", restart),
];

fn transition(&(arrange, name, act): &(Play, &str, Play)) -> String {
    let mut bench = Bench::new(None);
    arrange(&mut bench);
    let before = bench.phase();
    bench.take_log();
    act(&mut bench);
    format!("| {before} | {name} | {} | {} |\n", bench.phase(), bench.take_log())
}

/// What was durable when the process died, by what it had written last.
const CRASH_ROWS: &[(&str, Play)] = &[
    ("nothing", nothing),
    ("W creating", creating),
    ("W handle", with_handle),
    ("W accepted", accepted),
    ("W running", running),
    ("W pending", pending),
    ("W cleared", |bench| {
        pending(bench);
        bench.decide();
    }),
    ("W completed", completed),
];

fn crash((name, arrange): &(&str, Play)) -> String {
    let mut bench = Bench::new(None);
    arrange(&mut bench);
    let durable = bench.phase();
    restart(&mut bench);
    format!("| {name} | {durable} | {} | {} |\n", bench.take_log(), bench.phase())
}

#[track_caller]
fn check(file: &str, documented: &str, table: &str) {
    let rows = documented.split_once("|---|---|---|---|\n").map_or("", |(_, rows)| rows);
    assert_eq!(rows, table, "{file} should hold:\n{table}");
}

#[test]
fn the_documented_transitions_are_the_ones_made() {
    check("docs/transitions.md", TRANSITIONS, &ROWS.iter().map(transition).collect::<String>());
}

#[test]
fn the_documented_crashes_end_as_they_say() {
    check("docs/crashes.md", CRASHES, &CRASH_ROWS.iter().map(crash).collect::<String>());
}

/// Goal: an alarm that was armed before the crash and not written down does nothing later.
#[test]
fn an_alarm_of_an_ended_run_does_nothing() {
    let mut bench = Bench::new(None);
    completed(&mut bench);
    bench.take_log();
    bench.alarm(Timestamp::from_ms(i64::MAX));
    assert_eq!(bench.take_log(), "alarm");
}
