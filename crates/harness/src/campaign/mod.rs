//! Many seeds of one scenario, added up.

mod counts;
mod engine;
mod floors;
mod options;
mod panics;
mod recoveries;
mod report;
mod summary;
mod totals;

pub use counts::Counts;
pub use engine::campaign;
pub use floors::Floors;
pub use options::CampaignOptions;
pub use panics::{Panicked, Panics};
pub use recoveries::RecoveryReport;
pub use report::{CampaignReport, FoundViolation};
pub use summary::CampaignSummary;
