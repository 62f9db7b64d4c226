//! Goal: the worker inbox and its neighbours give every golden answer, also where they are known to be weak.

use holdover_vectors::run_all;
use std::path::Path;

/// 47 of the receiver and 21 of its neighbours.
const SCENARIOS: u64 = 47 + 21;

#[test]
fn every_offer_vector_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/offers");
    let report = run_all(&[folder], "original").expect("the vectors are there");
    assert!(report.failed.is_empty() && report.unknown.is_empty(), "{report}");
    assert_eq!(report.passed, SCENARIOS);
}
