//! Many seeds of one scenario, added up.

mod counts;
mod engine;
mod floors;
mod found;
mod merge;
mod options;
mod pairs;
mod panics;
mod recoveries;
mod report;
mod shard;
mod states;
mod summary;
mod totals;

pub use counts::Counts;
pub(crate) use engine::add_up;
pub use engine::campaign;
pub use floors::Floors;
pub use found::FoundViolation;
pub use merge::MergeError;
pub use options::{CampaignOptions, Shrinking};
pub use pairs::PairReport;
pub use panics::{Panicked, Panics};
pub use recoveries::RecoveryReport;
pub use report::CampaignReport;
pub use shard::{Shard, ShardError};
pub use states::States;
pub use summary::{CampaignSummary, Conduct, ViolationSummary};
pub(crate) use totals::{First, Totals};
