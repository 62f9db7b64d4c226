//! Whether planted bugs are found, by whom, and how soon.

mod by_random;
mod score;

pub(crate) use by_random::by_random;
pub use score::{RandomBudget, RandomScore};
