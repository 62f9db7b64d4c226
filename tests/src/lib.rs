//! What the tests across crates share: where the committed traces are, and how they are found anew.

mod joint;

pub use joint::{Found, find};

use std::path::PathBuf;

/// The folder of the committed traces of the jobs world.
pub fn traces() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("traces/jobs")
}

/// How many seeds the committed digest is of.
pub const DIGEST_SEEDS: u64 = 500;

/// The file of the committed digest.
pub fn digest_file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("digests/jobs.txt")
}
