//! Whether planted bugs are found, and how soon.

mod budget;
mod bytes;
mod random;
mod score;

pub use budget::SelftestBudget;
pub(crate) use bytes::bytes;
pub(crate) use random::{each_seed, random};
pub use score::Score;
