use serde::{Deserialize, Serialize};

/// How many panics a campaign tells apart.
const KEPT_MAX: usize = 10;

/// The panics of a campaign. A panic is a fault of the world or of a machine, never a finding about a protocol.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Panics {
    /// How many seeds panicked.
    pub count: u64,
    /// The first of them with different messages, by seed.
    pub first: Vec<Panicked>,
}

/// A seed that panicked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Panicked {
    /// The seed.
    pub seed: u64,
    /// The message, and the place in the source.
    pub message: String,
}

impl Panics {
    pub(crate) fn add(&mut self, panicked: Panicked) {
        self.count += 1;
        self.keep(panicked);
    }

    /// Adds the panics of the seeds that follow.
    pub(crate) fn append(&mut self, later: Self) {
        self.count = self.count.saturating_add(later.count);
        later.first.into_iter().for_each(|panicked| self.keep(panicked));
    }

    fn keep(&mut self, panicked: Panicked) {
        let known = self.first.iter().any(|first| first.message == panicked.message);
        if !known && self.first.len() < KEPT_MAX {
            self.first.push(panicked);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All are counted; of those that differ, the first are kept.
    #[test]
    fn the_first_of_each_message_are_kept() {
        let mut panics = Panics::default();
        for seed in 0..60 {
            panics.add(Panicked { seed, message: format!("message {}", seed / 3) });
        }
        let seeds: Vec<u64> = panics.first.iter().map(|panicked| panicked.seed).collect();
        assert_eq!((panics.count, seeds), (60, (0..30).step_by(3).collect()));
    }
}
