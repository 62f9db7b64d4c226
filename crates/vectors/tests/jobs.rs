//! The golden vectors of the job protocol.

use holdover_vectors::{Difference, run_all};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden").join(name)
}

/// The original variant gives every recorded answer.
#[test]
fn original_gives_every_recorded_answer() {
    let report = run_all(&[golden("jobs")], "original").unwrap();
    assert!(report.failed.is_empty(), "{report}");
    assert_eq!(report.passed, 257);
}

/// Where hardened answers otherwise than recorded, that is owed to knobs: to those that the committed table names.
#[test]
fn hardened_differs_as_the_table_says() {
    let found = Difference::search("jobs-golden-v1", &golden("jobs")).unwrap();
    let unexplained: Vec<String> = found.unexplained().map(ToString::to_string).collect();
    assert!(unexplained.is_empty(), "no knob restores\n{}", unexplained.join("\n"));

    let (committed, found) = (fs::read_to_string(golden("jobs-hardened.txt")).unwrap(), found.to_string());
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (committed_lines, found_lines) = (lines(&committed), lines(&found));
    let gone: Vec<_> = committed_lines.difference(&found_lines).map(|line| format!("- {line}")).collect();
    let new: Vec<_> = found_lines.difference(&committed_lines).map(|line| format!("+ {line}")).collect();
    assert!(
        committed == found,
        "tests/golden/jobs-hardened.txt is out of date; if that is meant, rewrite it as its first lines say\n{}\n{}",
        gone.join("\n"),
        new.join("\n")
    );
}
