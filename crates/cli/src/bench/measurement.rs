use holdover::history::HistoryVerdict;
use holdover_bench::Lap;

/// What came of a store.
pub(super) struct Measurement {
    pub(super) store: String,
    pub(super) laps: Vec<Lap>,
    pub(super) verdict: Option<HistoryVerdict>,
}

impl Measurement {
    /// Whether nothing was found against it.
    pub(super) fn passed(&self) -> bool {
        self.wrong() == 0 && self.verdict.as_ref().is_none_or(HistoryVerdict::passed)
    }

    /// See [`Lap::wrong`].
    pub(super) fn wrong(&self) -> u64 {
        self.laps.iter().map(|lap| lap.wrong).sum()
    }

    /// Jobs a second.
    pub(super) fn rate(&self) -> f64 {
        median(self.laps.iter().map(Lap::rate))
    }

    /// How many times the rate of another: the median of what the laps of each turn say.
    pub(super) fn ratio(&self, other: &Self) -> f64 {
        median(self.laps.iter().zip(&other.laps).map(|(lap, base)| lap.rate() / base.rate()))
    }

    /// All laps as one, for how long calls took.
    pub(super) fn all(&self) -> Lap {
        let mut all = Lap::new();
        self.laps.iter().for_each(|lap| all.add(lap));
        all
    }
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
