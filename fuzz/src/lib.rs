//! What the fuzz targets share: which variant is fuzzed, what a broken rule looks like to the fuzzer, and a tally of
//! how much the inputs did.
//!
//! The environment says what to do, because the command line belongs to the fuzzer: `HOLDOVER_FUZZ_PLANT` is the
//! planted bug that is looked for, none where it is not set, and `HOLDOVER_FUZZ_TALLY` the file in which the tally is
//! kept.

mod tally;
mod target;

pub use target::{begin, judge, variant};
