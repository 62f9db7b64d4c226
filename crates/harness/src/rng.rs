use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The one source of choice in a run: a generator that is fixed by its seed, on every platform and version.
///
/// Integers only: no float decides anything.
#[derive(Debug, Clone)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator of a seed.
    pub fn from_seed(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`; 0 when `bound` is 0. The bias of the multiplication is below 2^-32.
    pub fn below(&mut self, bound: u32) -> u32 {
        let wide = (self.bits() >> 32) * u64::from(bound);
        (wide >> 32) as u32
    }

    /// A number from `low` to `high`, both included; `low` when the range is empty.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = u32::try_from(high.saturating_sub(low).saturating_add(1)).unwrap_or(u32::MAX);
        low + i64::from(self.below(width))
    }

    /// True in `hits` of `of` cases.
    pub fn chance(&mut self, hits: u32, of: u32) -> bool {
        self.below(of) < hits
    }

    /// One of the items; `None` when there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(u32::try_from(items.len()).unwrap_or(u32::MAX)) as usize)
    }
}
