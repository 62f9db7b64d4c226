use crate::digest::{as_hex, fold};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many fingerprints are kept. The estimate errs by about one part in the square root of it: 3 %.
const KEPT_MAX: usize = 1_024;

/// How many different states a campaign has reached, told from a sample of states, and how many of them were new
/// towards its end.
///
/// Of all fingerprints, hashed, the smallest are kept, each with the first seed that reached it. The largest of them
/// says how densely the range of hashes is filled, and so how many there are. Unlike registers, which also merge,
/// what is kept says which part of the states is new in any part of the seeds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct States {
    sampled: u64,
    kept: BTreeMap<u64, u64>,
}

impl States {
    /// Adds a state that this seed has reached.
    pub(crate) fn add(&mut self, seed: u64, fingerprint: u64) {
        self.sampled += 1;
        self.keep(fold(0, fingerprint), seed);
    }

    /// Adds the states of other seeds. A hash among the smallest of the whole is among the smallest of each part
    /// that has it, so that parts add up to exactly what the whole would have kept.
    pub(crate) fn append(&mut self, other: &Self) {
        self.sampled = self.sampled.saturating_add(other.sampled);
        other.kept.iter().for_each(|(&hash, &seed)| self.keep(hash, seed));
    }

    fn keep(&mut self, hash: u64, seed: u64) {
        let full = self.kept.len() >= KEPT_MAX;
        if full && self.kept.last_key_value().is_some_and(|(&largest, _)| hash > largest) {
            return;
        }
        let first = self.kept.entry(hash).or_insert(seed);
        *first = seed.min(*first);
        if self.kept.len() > KEPT_MAX {
            self.kept.pop_last();
        }
    }

    /// How many states were looked at, the same ones again among them.
    pub fn sampled(&self) -> u64 {
        self.sampled
    }

    /// How many of them were different: exact for few, within about 3 % for many.
    pub fn distinct(&self) -> u64 {
        let kept = self.kept.len() as u64;
        match self.kept.last_key_value() {
            Some((&largest, _)) if self.is_estimate() => {
                let dense = (u128::from(kept - 1) << 64) / u128::from(largest.max(1));
                u64::try_from(dense).unwrap_or(u64::MAX)
            }
            _ => kept,
        }
    }

    /// Whether there were more states than are kept.
    pub fn is_estimate(&self) -> bool {
        self.kept.len() >= KEPT_MAX
    }

    /// Of 100 different states, how many no seed before this one had reached.
    pub fn new_percent(&self, since: u64) -> u64 {
        let new = self.kept.values().filter(|&&first| first >= since).count() as u64;
        (new * 100).checked_div(self.kept.len() as u64).unwrap_or(0)
    }
}

/// States as they are written.
#[derive(Serialize, Deserialize)]
struct Written {
    sampled: u64,
    /// For those who read; it follows from the rest.
    #[serde(default)]
    distinct: u64,
    kept: Vec<Kept>,
}

#[derive(Serialize, Deserialize)]
struct Kept(#[serde(with = "as_hex")] u64, u64);

impl From<States> for Written {
    fn from(states: States) -> Self {
        let (sampled, distinct) = (states.sampled, states.distinct());
        Self {
            sampled,
            distinct,
            kept: states.kept.into_iter().map(|(hash, seed)| Kept(hash, seed)).collect(),
        }
    }
}

impl From<Written> for States {
    fn from(written: Written) -> Self {
        let mut states = Self { sampled: written.sampled, kept: BTreeMap::new() };
        written.kept.into_iter().for_each(|Kept(hash, seed)| states.keep(hash, seed));
        states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten states a seed, of so many in all.
    fn reached(seeds: std::ops::Range<u64>, of: u64) -> States {
        let mut states = States::default();
        for (seed, state) in seeds.flat_map(|seed| (0..10).map(move |state| (seed, state))) {
            states.add(seed, fold(fold(0, seed), state) % of);
        }
        states
    }

    /// Goal: few states are counted exactly, and many within what is said of the error, three times over.
    #[test]
    fn distinct_states_are_told_within_the_error() {
        for of in [1, 100, 1_000] {
            assert_eq!(reached(0..5_000, of).distinct(), of);
        }
        for of in [5_000, 50_000] {
            let distinct = reached(0..of, of).distinct();
            assert!(distinct.abs_diff(of) * 100 < of * 9, "{distinct} of {of}");
        }
    }

    /// Goal: where all states are known early, none is new at the end; where none comes twice, the last tenth of the
    /// seeds has a tenth of them.
    #[test]
    fn new_states_are_told_apart() {
        assert_eq!(reached(0..5_000, 500).new_percent(4_500), 0);
        let tenth = reached(0..5_000, u64::MAX).new_percent(4_500);
        assert!((7..=13).contains(&tenth), "{tenth}");
        assert_eq!(States::default().new_percent(0), 0);
    }

    /// Goal: parts, in whatever order, and through JSON, are exactly the whole.
    #[test]
    fn parts_are_the_whole() {
        for of in [300, 3_000, u64::MAX] {
            let whole = reached(0..1_000, of);
            for parts in [[0..1, 1..999, 999..1_000], [700..1_000, 0..400, 400..700]] {
                let mut united = States::default();
                for part in parts {
                    let json = serde_json::to_string(&reached(part, of)).expect("JSON");
                    united.append(&serde_json::from_str(&json).expect("what was written"));
                }
                assert_eq!(united, whole, "{of}");
            }
        }
    }
}
