use crate::Rng;
use serde::{Deserialize, Serialize};

/// How often each kind of action is drawn in one run: one number a kind, in the order of the scenario's kinds.
///
/// Swarm testing: each seed turns some kinds off, some up and leaves the rest, so that rare combinations come
/// up which a fixed mix would drown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u32>", into = "Vec<u32>")]
pub struct Weights {
    of: Vec<u32>,
    total: u32,
}

impl Weights {
    /// These weights as they are.
    pub fn new(weights: Vec<u32>) -> Self {
        let total = weights.iter().fold(0_u32, |total, &weight| total.saturating_add(weight));
        Self { of: weights, total }
    }

    /// The weights of one seed. Each kind is off in one case of six, or of two where the seed decides for few
    /// kinds; else it is halved, as it is, or up to four times as frequent. A `vital` kind is never off, because
    /// nothing would happen without it.
    pub fn swarm(rng: &mut Rng, base: &[u32], vital: &[usize]) -> Self {
        let few = rng.chance(1, 2);
        let mut off = |kind| rng.chance(if few { 3 } else { 1 }, 6) && !vital.contains(&kind);
        let off: Vec<bool> = (0..base.len()).map(&mut off).collect();
        let weights = base.iter().zip(off).map(|(&weight, off)| match rng.below(10) {
            _ if off => 0,
            0..=3 => weight.div_ceil(2),
            4..=6 => weight,
            _ => weight.saturating_mul(2 + rng.below(3)),
        });
        Self::new(weights.collect())
    }

    /// The weight of a kind; 0 where it is off or unknown.
    pub fn of(&self, kind: usize) -> u32 {
        self.of.get(kind).copied().unwrap_or(0)
    }

    /// Draws a kind in proportion to its weight; `None` when all are off.
    pub fn draw(&self, rng: &mut Rng) -> Option<usize> {
        let mut left = rng.below(self.total);
        for (kind, &weight) in self.of.iter().enumerate() {
            if left < weight {
                return Some(kind);
            }
            left -= weight;
        }
        None
    }
}

impl From<Vec<u32>> for Weights {
    fn from(weights: Vec<u32>) -> Self {
        Self::new(weights)
    }
}

impl From<Weights> for Vec<u32> {
    fn from(weights: Weights) -> Self {
        weights.of
    }
}
