use crate::program::Program;
use serde_json::Value;
use std::{
    fs::File,
    process::{Command, Stdio},
};

/// A worker that stalls, loses its lease and completes the job that another one has been granted. With the fencing
/// number refused, or not.
fn holdover(taken: bool) -> String {
    let end = if taken { "ok" } else { "fail" };
    let lines = [
        ("client", 0, 9, "invoke", "create", r#"{"job":"j1","executor":"a"}"#),
        ("client", 1, 9, "ok", "create", r#"{"job":"j1","executor":"a","created":true}"#),
        ("worker", 2, 1, "invoke", "claim", r#"{"worker":1,"executors":["a"]}"#),
        ("worker", 3, 1, "ok", "claim", r#"{"worker":1,"job":"j1","attempt":1,"remaining_ms":5000}"#),
        ("sweeper", 5_100, 7, "invoke", "recover", r#"{"job":"j1"}"#),
        ("sweeper", 5_101, 7, "ok", "recover", r#"{"job":"j1","attempt":1}"#),
        ("worker", 5_200, 1, "invoke", "complete", r#"{"job":"j1","attempt":1}"#),
        ("worker", 5_201, 2, "invoke", "claim", r#"{"worker":2,"executors":["a"]}"#),
        ("worker", 5_202, 1, end, "complete", r#"{"job":"j1","attempt":1}"#),
        ("worker", 5_203, 2, "ok", "claim", r#"{"worker":2,"job":"j1","attempt":2,"remaining_ms":5000}"#),
    ];
    let line = |(index, (node, ms, process, kind, f, value)): (
        usize,
        &(&str, u64, u64, &str, &str, &str),
    )| {
        format!(
            "{{\"index\":{index},\"time\":{},\"process\":{process},\"type\":\"{kind}\",\"f\":\"{f}\",\"value\":{value},\"node\":\"{node}\"}}\n",
            ms * 1_000_000
        )
    };
    lines.iter().enumerate().map(line).collect()
}

/// Goal: a history that holds is a few lines and exit 0; one that does not tells the rule, the answer that fits
/// nowhere and what was under way, and ends with 1.
#[test]
fn tells_what_fits_nowhere() {
    let program = Program::new();
    for (name, taken, code) in [("refused", false, 0), ("taken", true, 1)] {
        program.write("history.jsonl", &holdover(taken));
        let ran = program.run("check history.jsonl");
        assert_eq!((ran.code, &*ran.err), (Some(code), ""), "{name}\n{}", ran.out);
        insta::assert_snapshot!(name, ran.out);
    }
}

/// Goal: clocks that may gain more over a lease excuse what is late, and nothing else.
#[test]
fn slack_excuses_what_is_late() {
    let program = Program::new();
    program.write("history.jsonl", &holdover(true));
    for (slack, excused) in [(0, false), (196, false), (197, true)] {
        let ran = program.run(&format!("check history.jsonl --clock-slack {slack}"));
        assert_eq!(
            (ran.code, !ran.out.contains("expired-is-over violated")),
            (Some(1), excused),
            "{}",
            ran.out
        );
    }
}

/// Goal: with `--json` the verdict is one line, an array with one object; `-` is standard input.
#[test]
fn one_line_of_json() {
    let program = Program::new();
    program.write("history.jsonl", &holdover(true));
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdover"));
    let history = File::open(program.path_of("history.jsonl")).unwrap();
    let output = command.args(["check", "-", "--json"]).stdin(Stdio::from(history)).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), out.lines().count(), output.stderr.len()), (Some(1), 1, 0), "{out}");
    let verdict: Value = serde_json::from_str(&out).unwrap();
    let found = &verdict[0];
    assert_eq!(found["schema"], "holdover-check-v1");
    assert_eq!((&found["operations"], &found["passed"]), (&5.into(), &false.into()), "{found}");
    let unexplained = &found["unexplained"][0];
    assert_eq!(
        (&unexplained["line"], &unexplained["pending"]),
        (&9.into(), &serde_json::json!([8])),
        "{found}"
    );
}
