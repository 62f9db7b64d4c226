use serde_json::Value;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// The published program's `explore` in an empty folder: how it ended, and its standard output.
fn explore(folder: &TempDir, line: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdover"));
    let output =
        command.arg("explore").args(line.split_whitespace()).current_dir(folder.path()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// Goal: each end of an exploration has its exit code, and its last line says what it was.
#[test]
fn ends() {
    let folder = TempDir::new().unwrap();
    let cases = [
        ("jobs --workers 1 --in-flight 0", 0, "PASS: closed; "),
        ("jobs --workers 1 --in-flight 0 --exact", 0, "PASS: closed; "),
        ("jobs --workers 1 --in-flight 0 --variant original", 1, "FAIL: violated after "),
        ("jobs --workers 1 --in-flight 0 --states 100", 6, "stopped at its budget of 100 states: "),
    ];
    for (line, code, says) in cases {
        let (exit, out) = explore(&folder, line);
        assert_eq!(exit, Some(code), "{line}\n{out}");
        assert!(out.lines().last().is_some_and(|last| last.starts_with(says)), "{line}\n{out}");
    }
}

/// Goal: with `--json` there is one line, an array with one object that has every member, the same on any number of
/// threads; its trace is there, and replays.
#[test]
fn one_line_of_json() {
    let folder = TempDir::new().unwrap();
    let line = "jobs --workers 1 --in-flight 0 --variant original --json --threads";
    let [one, two] = [1, 2].map(|threads| explore(&folder, &format!("{line} {threads}")));
    assert_eq!(one, two);
    let (exit, out) = one;
    assert_eq!((exit, out.lines().count()), (Some(1), 1));
    let explored: Value = serde_json::from_str(&out).unwrap();
    let explored = explored[0].as_object().unwrap();
    let members: Vec<&str> = explored.keys().map(String::as_str).collect();
    let expected = [
        "actions",
        "depth",
        "ending",
        "exact",
        "invariant",
        "off",
        "omission_one_in",
        "scenario",
        "scope",
        "states",
        "trace",
        "transitions",
        "variant",
    ];
    assert_eq!(members, expected);
    assert_eq!((&explored["ending"], &explored["variant"]), (&"violated".into(), &"original".into()));
    let trace = fs::read_to_string(folder.path().join(explored["trace"].as_str().unwrap())).unwrap();
    assert_eq!(trace.matches("\"do\"").count() as u64, explored["actions"].as_u64().unwrap());
    let mut replay = Command::new(env!("CARGO_BIN_EXE_holdover"));
    replay.args(["replay", explored["trace"].as_str().unwrap()]).current_dir(folder.path());
    assert_eq!(replay.output().unwrap().status.code(), Some(1));
}

/// Goal: a scope that is none is refused in one line, with what would be right.
#[test]
fn scopes_that_are_none() {
    let lines =
        ["--workers 0", "--workers 5", "--job-count 0", "--in-flight 9", "--crashes -1", "--states 0"];
    for line in lines {
        let mut command = Command::new(env!("CARGO_BIN_EXE_holdover"));
        let output = command.args(["explore", "jobs"]).args(line.split_whitespace()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{line}");
        assert_eq!(told.lines().count(), 1, "{line}\n{told}");
        assert!(told.contains("expected a whole number from "), "{line}\n{told}");
    }
}
