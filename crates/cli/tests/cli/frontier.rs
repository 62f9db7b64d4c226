use serde_json::Value;
use std::process::{Command, Output};

fn frontier(line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdover"));
    command.arg("frontier").args(line.split_whitespace()).output().unwrap()
}

/// Goal: one line of JSON with a row for each variant and kind, the same on one thread and on two.
#[test]
fn measures_the_variants_that_are_compared() {
    let [one, two] =
        ["1", "2"].map(|threads| frontier(&format!("jobs --seeds 2 --json --threads {threads}")));
    assert_eq!((one.status.code(), &one.stdout), (Some(0), &two.stdout));
    let out = String::from_utf8(one.stdout).unwrap();
    assert_eq!(out.lines().count(), 1);
    let reports: Value = serde_json::from_str(&out).unwrap();
    let (kinds, rows) = (&reports[0]["kinds"], &reports[0]["rows"]);
    let count = |list: &Value| list.as_array().map_or(0, Vec::len);
    assert_eq!((count(rows), &reports[0]["seeds"]), (3 * count(kinds), &Value::from(2)));
}

/// Goal: one variant alone is a table of its own, in Markdown.
#[test]
fn measures_one_variant() {
    let output = frontier("jobs --seeds 2 --variant hardened-without-echo");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text.matches("### ").count(), 1);
    assert!(
        text.contains("### `hardened-without-echo`") && text.contains("Seeds at each size: 2."),
        "{text}"
    );
}
