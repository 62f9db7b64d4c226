use crate::Recovery;
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// How long recoveries took. Percentiles are exact to three digits, the maximum is exact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryReport {
    /// How many there were.
    pub count: u64,
    /// Half of them took at most this many milliseconds.
    pub p50_ms: u64,
    /// 99 of 100 took at most this many milliseconds.
    pub p99_ms: u64,
    /// The longest, in milliseconds.
    pub max_ms: i64,
    /// What was promised for the longest, in milliseconds.
    pub bound_ms: i64,
    /// The seed of the longest.
    pub max_seed: u64,
    /// The histogram: times in milliseconds, rising, and how many recoveries took as long to three digits. It is
    /// what shards are added up by.
    pub histogram: Vec<(u64, u64)>,
}

/// Adds up recoveries in flat memory, however many there are.
pub(crate) struct Recoveries {
    histogram: Histogram<u64>,
    longest: Option<(Recovery, u64)>,
}

impl Recoveries {
    pub(crate) fn new() -> Self {
        let histogram = Histogram::new(3).expect("three digits are within what a histogram offers");
        Self { histogram, longest: None }
    }

    pub(crate) fn add(&mut self, seed: u64, recovery: Recovery) {
        // The histogram grows by itself and holds any u64, so that recording cannot fail.
        let _ = self.histogram.record(u64::try_from(recovery.took_ms).unwrap_or(0));
        self.keep_longest(seed, recovery);
    }

    /// Adds the recoveries of the seeds that follow.
    pub(crate) fn append(&mut self, later: &RecoveryReport) {
        for &(ms, count) in &later.histogram {
            let _ = self.histogram.record_n(ms, count);
        }
        let longest = Recovery { took_ms: later.max_ms, bound_ms: later.bound_ms };
        self.keep_longest(later.max_seed, longest);
    }

    fn keep_longest(&mut self, seed: u64, recovery: Recovery) {
        if self.longest.is_none_or(|(longest, _)| recovery.took_ms > longest.took_ms) {
            self.longest = Some((recovery, seed));
        }
    }

    pub(crate) fn report(&self) -> Option<RecoveryReport> {
        let (longest, max_seed) = self.longest?;
        // A quantile is told as the end of its histogram bucket, which may lie beyond the longest.
        let quantile =
            |part| self.histogram.value_at_quantile(part).min(u64::try_from(longest.took_ms).unwrap_or(0));
        Some(RecoveryReport {
            count: self.histogram.len(),
            p50_ms: quantile(0.5),
            p99_ms: quantile(0.99),
            max_ms: longest.took_ms,
            bound_ms: longest.bound_ms,
            max_seed,
            histogram: self
                .histogram
                .iter_recorded()
                .map(|bucket| (bucket.value_iterated_to(), bucket.count_since_last_iteration()))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest is exact and names its first seed; no quantile lies beyond it.
    #[test]
    fn the_longest_is_exact() {
        let mut recoveries = Recoveries::new();
        assert_eq!(recoveries.report(), None);
        for (seed, took_ms) in [(1, 50), (2, 100_001), (3, 100_001), (4, 60)] {
            recoveries.add(seed, Recovery { took_ms, bound_ms: 200_000 + seed as i64 });
        }
        let expected = RecoveryReport {
            count: 4,
            p50_ms: 60,
            p99_ms: 100_001,
            max_ms: 100_001,
            bound_ms: 200_002,
            max_seed: 2,
            histogram: vec![(50, 1), (60, 1), (100_031, 2)],
        };
        assert_eq!(recoveries.report(), Some(expected));
    }
}
