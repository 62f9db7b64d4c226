use crate::{
    AnyExplorable, AnyFrontier, CampaignOptions, CampaignReport, Catalogue, Planted, ReplayReport, Scenario,
    Score, SeedReport, SelftestBudget, TraceError, TraceOf, Trial, UnknownVariant, campaign,
    outcome::Outcome,
    quiet, replay,
    selftest::{bytes, random},
    trace::scenario_of,
};

/// A scenario whose types are forgotten, so that a command line can hold all of them in one list. Every
/// [`Scenario`] is one.
pub trait AnyScenario: Sync {
    /// The name on the command line.
    fn id(&self) -> &'static str;
    /// One sentence about it.
    fn about(&self) -> &'static str;
    /// What it can count.
    fn catalogue(&self) -> Catalogue;
    /// The names of its variants, the default first.
    fn variants(&self) -> Vec<String>;
    /// Whether this is the name of a variant.
    fn has_variant(&self, name: &str) -> bool;
    /// How it is explored, if it can be.
    fn explorable(&self) -> Option<&dyn AnyExplorable> {
        None
    }
    /// Runs many seeds, see [`campaign`].
    fn campaign(&self, options: &CampaignOptions<'_>) -> Result<CampaignReport, UnknownVariant>;
    /// Runs one seed and tells all of it.
    fn run_seed(&self, variant: &str, seed: u64) -> Result<SeedReport, UnknownVariant>;
    /// The digest of one seed alone as a campaign folds it, to compare processes by.
    fn digest(&self, variant: &str, seed: u64) -> Result<u64, UnknownVariant>;
    /// The bugs that it can be run with.
    fn planted(&self) -> Vec<Planted>;
    /// Runs seeds until this invariant has fallen often enough; `None` if it has not within the budget.
    fn find_planted(
        &self,
        variant: &str,
        invariant: &str,
        budget: SelftestBudget,
    ) -> Result<Option<Score>, UnknownVariant>;
    /// Feeds random bytes to its fuzz target until this invariant falls; `None` if it has no such target or variant.
    fn fuzz_planted(&self, variant: &str, invariant: &str) -> Option<Option<Score>> {
        let _ = (variant, invariant);
        None
    }
    /// How its frontier is measured, where it has one.
    fn frontier(&self) -> Option<Box<dyn AnyFrontier>>;
    /// Runs a trace again, in the variant that it names or in another.
    fn replay(&self, trace: &str, variant: Option<&str>) -> Result<ReplayReport, TraceError>;
}

impl<S: Scenario> AnyScenario for S {
    fn id(&self) -> &'static str {
        Scenario::id(self)
    }

    fn about(&self) -> &'static str {
        Scenario::about(self)
    }

    fn catalogue(&self) -> Catalogue {
        Scenario::catalogue(self)
    }

    fn variants(&self) -> Vec<String> {
        Scenario::variants(self)
    }

    fn has_variant(&self, name: &str) -> bool {
        self.variant(name).is_some()
    }

    fn explorable(&self) -> Option<&dyn AnyExplorable> {
        Scenario::explorable(self)
    }

    fn campaign(&self, options: &CampaignOptions<'_>) -> Result<CampaignReport, UnknownVariant> {
        campaign(self, options)
    }

    fn run_seed(&self, variant: &str, seed: u64) -> Result<SeedReport, UnknownVariant> {
        Ok(SeedReport::new(&Trial::new(self, variant)?, seed))
    }

    fn digest(&self, variant: &str, seed: u64) -> Result<u64, UnknownVariant> {
        Ok(Outcome::of(&Trial::new(self, variant)?, seed).digest())
    }

    fn planted(&self) -> Vec<Planted> {
        Scenario::planted(self)
    }

    fn find_planted(
        &self,
        variant: &str,
        invariant: &str,
        budget: SelftestBudget,
    ) -> Result<Option<Score>, UnknownVariant> {
        Ok(random(&Trial::new(self, variant)?, invariant, budget))
    }

    fn fuzz_planted(&self, variant: &str, invariant: &str) -> Option<Option<Score>> {
        bytes(&Trial::new(self, variant).ok()?, invariant)
    }

    fn frontier(&self) -> Option<Box<dyn AnyFrontier>> {
        Scenario::frontier(self)
    }

    fn replay(&self, trace: &str, variant: Option<&str>) -> Result<ReplayReport, TraceError> {
        let trace = TraceOf::<S>::parse(trace, Scenario::id(self))?;
        let known =
            |id: &String| Scenario::catalogue(self).invariants.iter().any(|invariant| invariant.id == *id);
        if let Some(found) = trace.violates.clone().filter(|id| !known(id)) {
            return Err(TraceError::UnknownInvariant { found, scenario: Scenario::id(self) });
        }
        let trial = Trial::new(self, variant.unwrap_or(&trace.variant))?;
        let replay = quiet::catch(|| replay(&trial, &trace)).map_err(TraceError::Panicked)?;
        Ok(ReplayReport::new(&trial, &trace, replay))
    }
}

/// The scenario among `scenarios` that a trace belongs to.
pub fn scenario_of_trace<'a>(
    scenarios: &[&'a dyn AnyScenario],
    trace: &str,
) -> Result<&'a dyn AnyScenario, TraceError> {
    let found = scenario_of(trace)?;
    let known = || scenarios.iter().map(|scenario| scenario.id()).collect();
    match scenarios.iter().find(|scenario| scenario.id() == found) {
        Some(scenario) => Ok(*scenario),
        None => Err(TraceError::UnknownScenario { known: known(), found }),
    }
}
