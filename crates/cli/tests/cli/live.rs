//! The commands that touch real stores. What a whole run finds is for the stores' own tests; here it is the command.

use serde_json::Value;
use std::process::{Command, Output};

fn holdover(arguments: &str, folder: &std::path::Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdover"));
    command.current_dir(folder).args(arguments.split(' ')).output().expect("the program runs")
}

/// Goal: a store that does what it must passes, and one object says how much was compared.
#[test]
fn a_store_is_held_to_the_contract() {
    let folder = tempfile::tempdir().expect("a folder");
    for store in ["memory:", "sqlite:jobs.db --erase"] {
        let arguments = format!("conform --store {store} --calls 400 --concurrent-calls 400 --json");
        let output = holdover(&arguments, folder.path());
        let told: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
        assert_eq!(output.status.code(), Some(0), "{store}: {told}");
        let parts = told[0]["parts"].as_array().expect("parts");
        assert!(parts.len() == 4 && parts.iter().all(|part| part["compared"].as_u64() > Some(20)), "{told}");
    }
}

/// Goal: a store survives what is done to it, with a verdict on what its workers saw, and nothing is left behind.
#[test]
fn a_store_is_tortured() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = holdover("torture --own-server sqlite --seconds 8 --workers 4 --json", folder.path());
    let told: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
    assert_eq!(output.status.code(), Some(0), "{told}");
    for count in ["ok", "unknown", "server_kills", "cut_connections", "acknowledged_writes"] {
        assert!(told[0][count].as_u64() > Some(0), "{count}: {told}");
    }
    let left = std::fs::read_dir(folder.path().join("out")).expect("the folder for histories").count();
    assert_eq!(left, 0, "the history is kept on a failure only");
}

/// Goal: stores are measured beside each other in every shape, and what their workers saw is checked.
#[test]
fn stores_are_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    for (shape, checked) in [("single", true), ("fused", true), ("batch", true), ("batch --unchecked", false)]
    {
        let stores = "--store memory: --store sqlite:jobs.db --erase";
        let output = holdover(&format!("bench {stores} --backlog 100 --shape {shape} --json"), folder.path());
        let told: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
        assert_eq!(output.status.code(), Some(0), "{shape}: {told}");
        for (store, name) in told.as_array().expect("an array").iter().zip(["memory:", "sqlite:jobs.db"]) {
            assert_eq!(store["store"], name);
            assert!(store["jobs_per_second"].as_f64() > Some(0.0) && store["wrong"] == 0, "{told}");
            assert!(store["call_us"]["p99"].as_u64() >= store["call_us"]["p50"].as_u64(), "{told}");
            assert_eq!(store["checked_operations"].as_u64() > Some(100), checked, "{told}");
        }
        assert_eq!(told[0]["times_first"], 1.0);
    }
}

/// Goal: what cannot be done is one line, and nothing is erased that nobody gave up.
#[test]
fn what_cannot_be_done_is_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, code, part) in [
        ("conform --store sqlite:jobs.db", 2, "add --erase"),
        ("conform --store mysql://h", 2, "expected `memory:`"),
        ("conform --store sqlite:no/such/folder/jobs.db --erase --calls 1", 1, ""),
        ("torture --own-server oracle", 2, "postgres, redis"),
        ("torture --own-server sqlite --plant moth", 2, "heartbeat-by-id"),
        ("torture --own-server sqlite --seconds 1", 2, "5"),
        ("torture --own-server sqlite --plant unlocked-claim", 2, "postgres, redis"),
        ("torture --store memory:", 2, "sqlite:PATH"),
        ("torture --store sqlite:jobs.db", 2, "add --erase"),
        ("torture --own-server redis --erase", 2, "--erase"),
        ("torture --own-server redis --store sqlite:jobs.db", 2, "--store"),
        ("torture", 2, "--own-server"),
        ("bench", 2, "--store"),
        ("bench --store sqlite:jobs.db", 2, "add --erase"),
        ("bench --store sqlite:jobs.db --store sqlite:jobs.db --erase", 2, "named twice"),
        ("bench --store memory: --shape round", 2, "single"),
        ("bench --store memory: --backlog 0", 2, "1000000"),
        ("bench --store postgres://127.0.0.1:1/none --erase", 7, "cannot be opened"),
    ] {
        let output = holdover(arguments, folder.path());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {told}");
        assert!(told.contains(part) && told.trim().lines().count() <= 1, "{arguments}: {told}");
    }
    assert!(!folder.path().join("jobs.db").exists());
}
