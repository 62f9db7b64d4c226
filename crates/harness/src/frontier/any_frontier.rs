use super::{Frontier, FrontierOptions, FrontierReport, frontier};
use crate::UnknownVariant;

/// A frontier whose types are forgotten. Every [`Frontier`] is one.
pub trait AnyFrontier {
    /// How many seeds at each size are enough to meet what is near.
    fn seeds(&self) -> u64;
    /// How many sizes there are to try with one variant, over all kinds.
    fn sizes(&self) -> u64;
    /// The variants that are compared.
    fn variants(&self) -> &[&'static str];
    /// Measures, see [`frontier`].
    fn measure(
        &self,
        variants: &[&str],
        options: &FrontierOptions<'_>,
    ) -> Result<Option<FrontierReport>, UnknownVariant>;
}

impl<F: Frontier> AnyFrontier for F {
    fn seeds(&self) -> u64 {
        Frontier::seeds(self)
    }

    fn sizes(&self) -> u64 {
        self.kinds().iter().map(|kind| kind.ladder.len() as u64).sum()
    }

    fn variants(&self) -> &[&'static str] {
        Frontier::variants(self)
    }

    fn measure(
        &self,
        variants: &[&str],
        options: &FrontierOptions<'_>,
    ) -> Result<Option<FrontierReport>, UnknownVariant> {
        frontier(self, variants, options)
    }
}
