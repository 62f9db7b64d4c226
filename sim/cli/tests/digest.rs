//! Goal: the command line's campaigns have the committed digest, in one process and in another, with one thread
//! and with two.

use std::process::Command;

fn digest(threads: &str) -> String {
    let arguments = ["sim", "jobs", "--seeds", "500", "--json", "--threads", threads];
    let output = Command::new(env!("CARGO_BIN_EXE_holdover-sim")).args(arguments).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    report[0]["digest"].as_str().unwrap().to_owned()
}

/// Two processes agree with the committed digest.
#[test]
fn processes_agree() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/digests/jobs.txt");
    let committed = std::fs::read_to_string(path).unwrap();
    for threads in ["1", "2"] {
        assert_eq!(digest(threads), committed.trim(), "{threads} threads");
    }
}
