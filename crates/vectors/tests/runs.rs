//! Goal: the run coordinator gives every golden answer, also where it is known to be weak.

use holdover_vectors::run_all;
use std::path::Path;

const SCENARIOS: u64 = 49;

#[test]
fn every_runs_vector_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/runs");
    let report = run_all(&[folder], "original").expect("the vectors are there");
    assert!(report.failed.is_empty() && report.unknown.is_empty(), "{report}");
    assert_eq!(report.passed, SCENARIOS);
}
