use super::{Frontier, FrontierOptions, FrontierReport, frontier};
use crate::UnknownVariant;

/// A frontier whose types are forgotten. Every [`Frontier`] is one.
pub trait AnyFrontier {
    /// How many sizes there are to try, over all variants and kinds.
    fn sizes(&self) -> u64;
    /// Measures, see [`frontier`].
    fn measure(&self, options: &FrontierOptions<'_>) -> Result<Option<FrontierReport>, UnknownVariant>;
}

impl<F: Frontier> AnyFrontier for F {
    fn sizes(&self) -> u64 {
        let ladders: usize = self.kinds().iter().map(|kind| kind.ladder.len()).sum();
        (ladders * self.variants().len()) as u64
    }

    fn measure(&self, options: &FrontierOptions<'_>) -> Result<Option<FrontierReport>, UnknownVariant> {
        frontier(self, options)
    }
}
