use crate::exactness::check;
use holdover::history::{HistoryEvent, Type};
use serde_json::{Value, json};

/// One event: process, type, operation, value.
type Line = (u64, Type, &'static str, Value);

/// What the story is, its operations, and the rules that fall.
type Case = (&'static str, Vec<[Line; 2]>, &'static [&'static str]);

fn events(lines: &[Line]) -> Vec<HistoryEvent> {
    let event = |(index, (process, kind, f, value)): (u64, &Line)| HistoryEvent {
        index,
        time: index as i64 * 1_000_000,
        process: *process,
        kind: *kind,
        f: (*f).to_owned(),
        value: value.clone(),
        error: None,
    };
    (0..).zip(lines).map(event).collect()
}

/// An operation that nothing overlaps.
fn done(process: u64, f: &'static str, value: Value) -> [Line; 2] {
    let asked = if f == "claim" { json!({}) } else { value.clone() };
    [(process, Type::Invoke, f, asked), (process, Type::Ok, f, value)]
}

/// Goal: each story is judged as its name says, by exactly the rules named.
#[test]
fn stories() {
    let grant = |process, attempt| done(process, "claim", json!({"job": "j", "attempt": attempt}));
    let with = |process, f, attempt| done(process, f, json!({"job": "j", "attempt": attempt}));
    let plain = |process, f, more: Value| {
        let mut value = json!({"job": "j"});
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        done(process, f, value)
    };
    let unanswered =
        |process, f, value: Value| [(process, Type::Invoke, f, value), (process, Type::Info, f, Value::Null)];
    let cases: Vec<Case> = vec![
        (
            "a heartbeat between recovery and the next grant",
            vec![grant(1, 1), with(2, "recover", 1), with(1, "heartbeat", 1)],
            &["linearizable"],
        ),
        (
            "two recover one lease",
            vec![grant(1, 1), with(2, "recover", 1), with(3, "recover", 1)],
            &["linearizable"],
        ),
        (
            "a lease that nobody was told of is recovered",
            vec![unanswered(1, "claim", json!({})), with(2, "recover", 1), grant(3, 2)],
            &[],
        ),
        (
            "two of them, and one claim",
            vec![unanswered(1, "claim", json!({})), with(2, "recover", 1), with(2, "recover", 2)],
            &["linearizable"],
        ),
        (
            "granted after it was cancelled",
            vec![plain(1, "cancel", json!({"over": true})), grant(2, 1)],
            &["linearizable"],
        ),
        ("granted after a cancel was asked for", vec![plain(1, "cancel", json!({})), grant(2, 1)], &[]),
        (
            "granted after its last attempt failed",
            vec![grant(1, 1), plain(1, "fail", json!({"attempt": 1, "over": true})), grant(2, 2)],
            &["linearizable"],
        ),
        (
            "created twice",
            vec![plain(1, "create", json!({"created": true})), plain(2, "create", json!({"created": true}))],
            &["linearizable"],
        ),
        (
            "created twice, once unanswered",
            vec![
                unanswered(1, "create", json!({"job": "j"})),
                plain(2, "create", json!({"created": false})),
                grant(3, 1),
            ],
            &[],
        ),
        (
            "granted and only then created",
            vec![grant(1, 1), plain(2, "create", json!({"created": true}))],
            &["linearizable"],
        ),
        (
            "nothing found, and there was a job",
            vec![
                plain(1, "create", json!({"created": true, "executor": "a"})),
                done(2, "claim", json!({"executors": ["b", "a"]})),
            ],
            &["found-nothing"],
        ),
        (
            "nothing found that the claim can run",
            vec![
                plain(1, "create", json!({"created": true, "executor": "a"})),
                done(2, "claim", json!({"executors": ["b"]})),
            ],
            &[],
        ),
        (
            "nothing found, and a claim may have taken it",
            vec![
                plain(1, "create", json!({"created": true, "executor": "a"})),
                unanswered(3, "claim", json!({"executors": ["a"]})),
                done(2, "claim", json!({"executors": ["a"]})),
            ],
            &[],
        ),
    ];
    for (name, lines, expected) in cases {
        let lines: Vec<Line> = lines.into_iter().flatten().collect();
        let verdict = check(&events(&lines));
        let fallen: Vec<&str> =
            verdict.report.violations.iter().map(|violation| &*violation.invariant).collect();
        assert_eq!(fallen, expected, "{name}");
    }
}

/// Goal: many operations that overlap on one job are judged, and an answer that fits nowhere is found among them:
/// 32 workers are granted the job one after the other while all their answers are late.
#[test]
fn all_on_one_job() {
    let workers = 1..=32;
    let ask = |f: &'static str, process, attempt| {
        (process, Type::Invoke, f, json!({"job": "j", "attempt": attempt}))
    };
    let answer = |f: &'static str, process, attempt: Value| {
        (process, Type::Ok, f, json!({"job": "j", "attempt": attempt}))
    };
    let claims = workers.clone().map(|worker| ask("claim", worker, Value::Null));
    let beats = workers.clone().map(|worker| ask("heartbeat", 100 + worker, worker.into()));
    let beaten = workers.clone().map(|worker| answer("heartbeat", 100 + worker, worker.into()));
    let granted = workers.clone().map(|worker| answer("claim", worker, worker.into()));
    let mut lines: Vec<Line> = claims.chain(beats).chain(beaten).chain(granted).collect();
    assert!(check(&events(&lines)).passed());
    // The same, but the first heartbeat is asked for when the second one was answered.
    let late = lines.remove(32);
    let second = lines.iter().position(|line| line.0 == 102 && line.1 == Type::Ok).unwrap();
    let first = lines.iter().position(|line| line.0 == 101).unwrap();
    let first = lines.remove(first);
    lines.insert(second, late);
    lines.insert(second + 1, first);
    let verdict = check(&events(&lines));
    assert!(verdict.report.violations.of("linearizable").is_some(), "{:#?}", verdict.report);
}

/// Goal: operations that do not say which lease they are about are judged as well where many overlap: 16 grants and
/// 16 recoveries on one job, all asked for before any is answered.
#[test]
fn many_alike() {
    let number = |worker: u64| json!({"job": "j", "attempt": worker});
    let told = |kind| move |sweeper: u64| (100 + sweeper, kind, "recover", json!({"job": "j"}));
    let ask = (1..=16).map(|worker| (worker, Type::Invoke, "claim", Value::Null));
    let granted = (1..=16).rev().map(|worker| (worker, Type::Ok, "claim", number(worker)));
    let mut lines: Vec<Line> = ask
        .chain((1..=16).map(told(Type::Invoke)))
        .chain((1..=16).map(told(Type::Ok)))
        .chain(granted)
        .collect();
    assert!(check(&events(&lines)).passed());
    // One recovery more than there are leases.
    lines.insert(0, told(Type::Invoke)(17));
    lines.push(told(Type::Ok)(17));
    assert!(!check(&events(&lines)).passed());
}
