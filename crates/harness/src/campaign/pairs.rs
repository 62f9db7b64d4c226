use serde::{Deserialize, Serialize};

/// Which pairs of fault kinds were noticed in one and the same seed: many bugs need two kinds of faults, and few
/// need three.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// By `place`, which needs no number of kinds.
    noticed: Vec<bool>,
}

/// The pairs of a campaign. Those that are missing are told by name, because they are few once it is long enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PairReport {
    /// How many pairs there are.
    pub all: u64,
    /// Those of which no seed noticed both kinds.
    pub missing: Vec<(String, String)>,
}

impl Pairs {
    /// Adds the counts of one seed, by kind.
    pub(crate) fn add(&mut self, faults: &[u64]) {
        let kinds = || faults.iter().enumerate().filter(|(_, count)| **count > 0).map(|(kind, _)| kind);
        for (later, earlier) in kinds().flat_map(|later| kinds().map(move |earlier| (later, earlier))) {
            if earlier < later {
                self.mark(place(earlier, later));
            }
        }
    }

    fn mark(&mut self, place: usize) {
        if self.noticed.len() <= place {
            self.noticed.resize(place + 1, false);
        }
        self.noticed[place] = true;
    }

    /// What there is to tell, under these names.
    pub(crate) fn report(&self, names: &[&str]) -> PairReport {
        let all = (0..names.len()).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
        let (mut count, mut missing) = (0, Vec::new());
        for (earlier, later) in all {
            count += 1;
            if self.noticed.get(place(earlier, later)) != Some(&true) {
                missing.push((names[earlier].to_owned(), names[later].to_owned()));
            }
        }
        PairReport { all: count, missing }
    }
}

/// Where a pair stands when all are listed by their later kind.
fn place(earlier: usize, later: usize) -> usize {
    later * later.saturating_sub(1) / 2 + earlier
}

impl PairReport {
    /// How many pairs were noticed.
    pub fn noticed(&self) -> u64 {
        self.all.saturating_sub(self.missing.len() as u64)
    }

    /// Adds what other seeds have noticed of the same kinds.
    pub(crate) fn unite(&mut self, other: &Self) {
        self.missing.retain(|pair| other.missing.contains(pair));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &["loss", "delay", "crash", "pause"];

    fn of(seeds: &[&[u64]]) -> PairReport {
        let mut pairs = Pairs::default();
        seeds.iter().for_each(|faults| pairs.add(faults));
        pairs.report(NAMES)
    }

    /// Goal: a pair is noticed where one seed notices both kinds, and only there.
    #[test]
    fn both_kinds_in_one_seed() {
        let cases: [(&[&[u64]], &[usize]); 4] = [
            (&[], &[0, 1, 2, 3, 4, 5]),
            (&[&[1], &[0, 1]], &[0, 1, 2, 3, 4, 5]),
            (&[&[1, 2]], &[1, 2, 3, 4, 5]),
            (&[&[1, 0, 0, 7], &[0, 1, 1]], &[0, 1, 4, 5]),
        ];
        let all = of(&[]).missing;
        for (seeds, missing) in cases {
            let expected: Vec<_> = missing.iter().map(|&pair| all[pair].clone()).collect();
            assert_eq!(of(seeds), PairReport { all: 6, missing: expected }, "{seeds:?}");
        }
    }

    /// Goal: two parts unite to what the whole notices.
    #[test]
    fn parts_unite_to_the_whole() {
        let seeds: [&[u64]; 3] = [&[1, 1], &[0, 1, 1], &[1, 0, 0, 1]];
        for cut in 0..=seeds.len() {
            let mut united = of(&seeds[..cut]);
            united.unite(&of(&seeds[cut..]));
            assert_eq!(united, of(&seeds), "cut at {cut}");
        }
    }
}
