//! The golden vectors of the job protocol.

use holdover_vectors::run_all;
use std::path::PathBuf;

fn golden() -> Vec<PathBuf> {
    vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/jobs")]
}

/// The original variant gives every recorded answer.
#[test]
fn original_gives_every_recorded_answer() {
    let report = run_all(&golden(), "original").unwrap();
    assert!(report.failed.is_empty(), "{report}");
    assert_eq!(report.passed, 257);
}
