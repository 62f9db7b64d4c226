use crate::{Scenario, UnknownVariant};

/// A scenario in one of its variants: what every engine runs.
#[derive(Debug)]
pub struct Trial<'a, S: Scenario> {
    pub(crate) scenario: &'a S,
    pub(crate) name: String,
    pub(crate) variant: S::Variant,
}

impl<'a, S: Scenario> Trial<'a, S> {
    /// The scenario in the variant of this name.
    pub fn new(scenario: &'a S, variant: &str) -> Result<Self, UnknownVariant> {
        match scenario.variant(variant) {
            Some(rules) => Ok(Self { scenario, name: variant.to_owned(), variant: rules }),
            None => Err(UnknownVariant {
                scenario: scenario.id(),
                variant: variant.to_owned(),
                known: scenario.variants(),
            }),
        }
    }

    pub(crate) fn world(&self, config: &S::Config) -> S::World {
        self.scenario.world(&self.variant, config)
    }
}
