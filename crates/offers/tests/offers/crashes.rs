//! Goal: whatever the worker was doing when it died, the next delivery continues as the crash table says, and no
//! offer is ever started twice.

use crate::support::{Worker, offer};
use holdover_offers::*;

/// The calls of a first delivery, and for a crash before and after each of them: the state left behind (`-` for
/// no record) and the answer to the next delivery.
const CRASHES: &[(&str, [(&str, &str); 2])] = &[
    ("read", [("-", "running"), ("-", "running")]),
    ("create", [("-", "running"), ("accepted", "running")]),
    ("read", [("accepted", "running"), ("accepted", "running")]),
    ("acknowledge starting", [("accepted", "running"), ("accepted", "running")]),
    ("write starting_acknowledged", [("accepted", "running"), ("starting_acknowledged", "running")]),
    ("find lease", [("starting_acknowledged", "running"), ("starting_acknowledged", "running")]),
    ("track", [("starting_acknowledged", "running"), ("starting_acknowledged", "running")]),
    ("prepare", [("starting_acknowledged", "running"), ("starting_acknowledged", "running")]),
    ("write launching", [("starting_acknowledged", "running"), ("launching", "recovery_required")]),
    ("start", [("launching", "recovery_required"), ("launching", "recovery_required")]),
    ("write started", [("launching", "recovery_required"), ("started", "running")]),
    ("find lease", [("started", "running"), ("started", "running")]),
    ("track", [("started", "running"), ("started", "running")]),
    ("acknowledge running", [("started", "running"), ("started", "running")]),
    ("write running_acknowledged", [("started", "running"), ("running_acknowledged", "already_running")]),
];

/// The same where the start fails, from the start on.
const FAILING: &[(&str, [(&str, &str); 2])] = &[
    ("start", [("launching", "recovery_required"), ("launching", "recovery_required")]),
    ("write start_failed", [("launching", "recovery_required"), ("start_failed", "already_failed")]),
    ("find lease", [("start_failed", "already_failed"), ("start_failed", "already_failed")]),
    ("track", [("start_failed", "already_failed"), ("start_failed", "already_failed")]),
    ("fail start", [("start_failed", "already_failed"), ("start_failed", "already_failed")]),
    ("untrack", [("start_failed", "already_failed"), ("start_failed", "already_failed")]),
    (
        "write start_failure_acknowledged",
        [("start_failed", "already_failed"), ("start_failure_acknowledged", "already_failed")],
    ),
];

fn starts(worker: &Worker) -> usize {
    worker.calls.iter().filter(|call| *call == "start").count()
}

/// Delivers to a worker that dies at call number `at`.
fn dies(mut worker: Worker, at: usize, applied: bool) -> Worker {
    worker.crash = Some((at, applied));
    worker.deliver(offer("a", 3));
    worker
}

fn check(first: fn() -> Worker, at: usize, call: &str, expected: [(&str, &str); 2]) {
    for (applied, (left, answer)) in [false, true].into_iter().zip(expected) {
        let dead = dies(first(), at, applied);
        assert_eq!(dead.calls.last().map(String::as_str), Some(call), "call {at}");
        assert!(dead.answers.is_empty(), "call {at}: a dead worker does not answer");
        let started = starts(&dead);
        let mut next = dead.restart();
        let state = next.directory.records().next().map_or("-", |record| record.state.name());
        next.deliver(offer("a", 3));
        let status = next.answers.pop().map(|result| result.expect("healthy ports").status());
        assert_eq!((state, status), (left, Some(answer)), "{call}, carried out: {applied}");
        assert!(started + starts(&next) <= 1, "OR-ONE-START: {call}, carried out: {applied}");
    }
}

#[test]
fn one_crash() {
    for (number, (call, expected)) in CRASHES.iter().enumerate() {
        check(Worker::new, number + 1, call, *expected);
    }
    let failing = || {
        let mut worker = Worker::new();
        worker.scripted.insert(("start", 1), Reply::Start(Start::Failed));
        worker
    };
    let before = CRASHES.iter().position(|(call, _)| *call == "start").expect("a start");
    for (number, (call, expected)) in FAILING.iter().enumerate() {
        check(failing, before + number + 1, call, *expected);
    }
}

/// Goal: two crashes in a row still lead to a settled answer and at most one start.
#[test]
fn two_crashes() {
    for (first, second) in (1..=15).flat_map(|first| (1..=15).map(move |second| (first, second))) {
        for (applied_first, applied_second) in [(false, false), (false, true), (true, false), (true, true)] {
            let dead = dies(Worker::new(), first, applied_first);
            let mut started = starts(&dead);
            let dead = dies(dead.restart(), second, applied_second);
            started += starts(&dead);
            let mut last = dead.restart();
            last.deliver(offer("a", 3));
            started += starts(&last);
            assert!(matches!(last.answers[..], [Ok(_)]), "crashes at {first} and {second}");
            assert!(started <= 1, "OR-ONE-START: crashes at {first} and {second}");
        }
    }
}
