//! What the tests across crates share: where the committed traces are, and how they are found anew.

mod as_model;
mod frontier;
mod joint;

pub use as_model::{AsModel, Described};
pub use frontier::{Pair, pairs};
pub use joint::{Found, find};

use std::path::PathBuf;

/// The folder of the committed traces of the jobs world.
pub fn traces() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("traces/jobs")
}

/// The folder of the histories at the limits of the frontier and beyond, a folder a variant.
pub fn frontier_traces() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("traces/frontier")
}

/// What is written of the frontier.
pub fn frontier_doc() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/frontier.md")
}

/// How many seeds the committed digest is of.
pub const DIGEST_SEEDS: u64 = 500;

/// The file of the committed digest.
pub fn digest_file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("digests/jobs.txt")
}
