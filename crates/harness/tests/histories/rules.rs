//! The rules of leases on small histories, each written as `process f type at value`.

use holdover::history::{HistoryEvent, HistoryReport, Type, check_leases, operations};
use serde_json::{Value, json};

type Told = (u64, &'static str, Type, i64, Value);

/// A story in a few words, what happens in it, and the rules that fall.
type Case = (&'static str, Vec<[Told; 2]>, &'static [&'static str]);

fn violated(told: &[Told]) -> Vec<String> {
    let event = |(index, (process, f, kind, at, value)): (usize, &Told)| HistoryEvent {
        index: index as u64,
        time: at * 1_000_000,
        process: *process,
        kind: *kind,
        f: (*f).to_owned(),
        value: value.clone(),
        error: None,
    };
    let events: Vec<HistoryEvent> = told.iter().enumerate().map(event).collect();
    let lines: Vec<String> = events.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect();
    let back: Vec<HistoryEvent> =
        lines.iter().map(|line| serde_json::from_str(line).expect("an event")).collect();
    assert_eq!(back, events);
    let mut report = HistoryReport::default();
    check_leases(&operations(&events), 10, &mut report);
    report.violations.iter().map(|violation| violation.invariant.clone()).collect()
}

/// A claim by `worker` that is granted as `attempt`, from `at` to `at + 10`, for 1 s.
fn grant(worker: u64, attempt: u64, at: i64) -> [Told; 2] {
    let value =
        json!({ "job": "j", "attempt": attempt, "worker": worker, "remaining_ms": 1_000, "replayed": false });
    [
        (worker, "claim", Type::Invoke, at, json!({ "worker": worker })),
        (worker, "claim", Type::Ok, at + 10, value),
    ]
}

/// A use of the lease by `worker` with this outcome, from `at` to `at + 10`.
fn used(worker: u64, f: &'static str, attempt: u64, at: i64, kind: Type) -> [Told; 2] {
    let mut value = json!({ "job": "j", "attempt": attempt });
    let asked = (worker, f, Type::Invoke, at, value.clone());
    if kind == Type::Ok && f == "heartbeat" {
        value["remaining_ms"] = 1_000.into();
    }
    [asked, (worker, f, kind, at + 10, value)]
}

/// Goal: each rule falls for exactly what it forbids, and not for what a delay or a missing answer explains.
#[test]
fn rules_of_leases() {
    use Type::{Fail, Info, Ok};
    let replayed = |told: [Told; 2]| {
        let [asked, mut answer] = told;
        answer.4["replayed"] = true.into();
        [asked, answer]
    };
    let cases: Vec<Case> = vec![
        (
            "a job done",
            vec![grant(1, 1, 0), used(1, "start", 1, 20, Ok), used(1, "complete", 1, 40, Ok)],
            &[],
        ),
        ("one attempt, two workers", vec![grant(1, 1, 0), grant(2, 1, 5)], &["single-owner"]),
        ("the same grant again", vec![grant(1, 1, 0), replayed(grant(1, 1, 20))], &[]),
        ("numbers go back", vec![grant(1, 2, 0), grant(2, 1, 2_000)], &["fencing"]),
        ("never granted", vec![grant(1, 1, 0), used(2, "complete", 7, 20, Ok)], &["fencing"]),
        ("refused, never granted", vec![grant(1, 1, 0), used(2, "complete", 7, 20, Fail)], &[]),
        (
            "used after a newer grant",
            vec![grant(1, 1, 0), grant(2, 2, 1_100), used(1, "complete", 1, 1_120, Ok)],
            &["fencing", "expired-is-over"],
        ),
        (
            "an answer given again after a newer grant",
            vec![
                grant(1, 1, 0),
                used(1, "fail", 1, 20, Info),
                grant(2, 2, 1_100),
                replayed(used(1, "fail", 1, 1_120, Ok)),
            ],
            &[],
        ),
        (
            "done twice",
            vec![
                grant(1, 1, 0),
                used(1, "complete", 1, 20, Ok),
                grant(2, 2, 1_100),
                used(2, "complete", 2, 1_120, Ok),
            ],
            &["terminal-absorbing"],
        ),
        ("done late", vec![grant(1, 1, 0), used(1, "complete", 1, 1_021, Ok)], &["expired-is-over"]),
        ("done just in time, by a slow clock", vec![grant(1, 1, 0), used(1, "complete", 1, 1_020, Ok)], &[]),
        (
            "done late, after a renewal",
            vec![grant(1, 1, 0), used(1, "heartbeat", 1, 900, Ok), used(1, "complete", 1, 1_500, Ok)],
            &[],
        ),
        (
            "done late, after what may have been a renewal",
            vec![grant(1, 1, 0), used(1, "heartbeat", 1, 900, Info), used(1, "complete", 1, 1_500, Ok)],
            &[],
        ),
        ("granted early", vec![grant(1, 1, 0), grant(2, 2, 900)], &["no-false-recovery"]),
        ("granted as early as a fast clock may", vec![grant(1, 1, 0), grant(2, 2, 980)], &[]),
        (
            "granted early, after an end",
            vec![grant(1, 1, 0), used(1, "fail", 1, 20, Info), grant(2, 2, 900)],
            &[],
        ),
        (
            "granted early, after a start",
            vec![grant(1, 1, 0), used(1, "start", 1, 20, Info), grant(2, 2, 900)],
            &[],
        ),
    ];
    for (name, told, expected) in cases {
        let told: Vec<Told> = told.into_iter().flatten().collect();
        assert_eq!(violated(&told), expected, "{name}");
    }
}
