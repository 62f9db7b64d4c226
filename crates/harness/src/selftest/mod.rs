//! Whether planted bugs are found, and how soon.

mod budget;
mod random;
mod score;

pub use budget::SelftestBudget;
pub(crate) use random::{each_seed, random};
pub use score::Score;
