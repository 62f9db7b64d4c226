use super::{report::HistoryReport, unexplained::Unexplained};

/// What a check of a history has found.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct HistoryVerdict {
    /// How many events were read.
    pub events: u64,
    /// How many operations were checked.
    pub operations: u64,
    /// How many of them were carried out.
    pub ok: u64,
    /// How many were certainly not.
    pub failed: u64,
    /// How many may have been.
    pub unknown: u64,
    /// On how many jobs.
    pub jobs: usize,
    /// What each rule has found; `linearizable` is one of them.
    pub report: HistoryReport,
    /// The first jobs that are not linearizable.
    pub stories: Vec<Unexplained>,
}

impl HistoryVerdict {
    /// Whether every rule held.
    pub fn passed(&self) -> bool {
        self.report.violations.is_empty()
    }
}
