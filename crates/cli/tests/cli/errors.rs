use crate::program::Program;

/// Goal: whatever is wrong with the input, there is one line on standard error that says what, where and what would
/// be right; nothing on standard output, nothing written, and exit code 2.
#[test]
fn input_errors() {
    let program = Program::new();
    program.write("broken.json", "{\"schema\":");
    program.write("list.json", "[]");
    program.write("other-version.json", r#"{"schema": "holdover-trace-v9", "scenario": "lease"}"#);
    program.write("other-scenario.json", r#"{"schema": "holdover-trace-v1", "scenario": "jobs"}"#);
    program.write("no-steps.json", r#"{"schema": "holdover-trace-v1", "scenario": "lease"}"#);
    program.write("unknown-format.json", r#"{"format": "novel/1"}"#);
    program.write("no-event.jsonl", "\n{\"index\":0,\"time\":0,\"process\":1}\n");
    program.write("no-object.jsonl", "[]\n");
    program.write("nothing.jsonl", "");
    for (name, line) in [
        ("no-type", event(0, 1, "invok", "claim", "null")),
        ("no-text", event(0, 1, "invoke", "claim", r#"{"job":7}"#)),
        ("no-question", event(0, 1, "ok", "claim", "{}")),
        (
            "no-attempt",
            [event(0, 1, "invoke", "start", r#"{"job":"j"}"#), event(1, 1, "ok", "start", "{}")].concat(),
        ),
        ("out-of-order", [1, 1].map(|index| event(index, index, "invoke", "claim", "{}")).concat()),
        (
            "retired",
            [(0, "invoke"), (1, "info"), (2, "invoke")]
                .map(|(index, kind)| event(index, 1, kind, "claim", "{}"))
                .concat(),
        ),
        ("two-at-once", [0, 1].map(|index| event(index, 1, "invoke", "claim", "{}")).concat()),
        ("other-answer", [event(0, 1, "invoke", "claim", "{}"), event(1, 1, "ok", "start", "{}")].concat()),
    ] {
        program.write(&format!("{name}.jsonl"), &line);
    }
    let before = program.files(".");
    let lines = [
        "",
        "simm",
        "sim leese",
        "sim everything",
        "sim lease --variant hardend",
        "sim lease --variant wrong",
        "sim --variant sharse",
        "sim --seed 1 --seeds 2",
        "sim --seeds 0",
        "sim --seeds many",
        "sim --seed -1",
        "sim --seed 18446744073709551615",
        "sim --seeds 18446744073709551616",
        "sim --threads 0",
        "sim --threads 99999",
        "sim --time-budget 0",
        "sim --time-budget 1.5",
        "sim --sead 1",
        "sim --seed",
        "frontier",
        "frontier leese",
        "frontier lease",
        "frontier lease --seeds 0",
        "explore",
        "explore leese",
        "explore lease",
        "explore lease --variant wrong",
        "explore lease --states 0",
        "sim --shard 0/4",
        "sim --shard 5/4",
        "sim --shard 1",
        "sim --shard 1/2 --seed 1",
        "merge",
        "merge missing.json",
        "merge broken.json",
        "merge list.json",
        "replay",
        "replay missing.json",
        "replay broken.json",
        "replay list.json",
        "replay other-version.json",
        "replay other-scenario.json",
        "replay no-steps.json",
        "replay other-version.json --variant wrong",
        "replay .",
        "check",
        "check missing.jsonl",
        "check .",
        "check no-event.jsonl",
        "check no-object.jsonl",
        "check nothing.jsonl",
        "check no-type.jsonl",
        "check no-text.jsonl",
        "check no-question.jsonl",
        "check no-attempt.jsonl",
        "check out-of-order.jsonl",
        "check retired.jsonl",
        "check two-at-once.jsonl",
        "check other-answer.jsonl",
        "check nothing.jsonl --clock-slack -1",
        "vectors",
        "vectors missing",
        "vectors unknown-format.json",
        "digest lease --variant wrong 1",
    ];
    let mut told = String::new();
    for line in lines {
        let ran = program.run(line);
        assert_eq!(ran.code, Some(2), "{line}\n{}{}", ran.out, ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{line}\n{}", ran.err);
        assert!(ran.out.is_empty() || line == "vectors unknown-format.json", "{line}\n{}", ran.out);
        told.push_str(&format!("holdover {line}\n  {}\n", ran.err.trim_end()));
    }
    assert_eq!(program.files("."), before);
    insta::assert_snapshot!(told);
}

/// A line of a history.
fn event(index: u64, process: u64, kind: &str, f: &str, value: &str) -> String {
    format!(
        "{{\"index\":{index},\"time\":0,\"process\":{process},\"type\":\"{kind}\",\"f\":\"{f}\",\"value\":{value}}}\n"
    )
}
