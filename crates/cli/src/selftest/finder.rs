use super::exploring::explore;
use crate::engines::Engines;
use holdover::{AnyScenario, Planted, Score, SelftestBudget};

/// Who looks for a planted bug.
#[derive(Clone, Copy)]
pub(crate) enum Finder<'a> {
    /// Random runs of the world.
    Random(&'a dyn AnyScenario),
    /// Every state of the world within small scopes.
    Explore(&'a dyn AnyScenario),
    /// The bytes of a fuzzer, drawn at random: without the coverage that a fuzzer is guided by.
    Fuzz(&'a dyn AnyScenario),
    /// Another engine, that runs the scenario of the same name.
    Shells(&'static str, Option<&'a dyn AnyScenario>),
}

/// What came of it.
#[derive(Debug, Clone)]
pub(crate) enum Finding {
    /// The named invariant fell.
    Found(Score),
    /// It did not.
    Missed,
    /// The bug cannot be planted where this engine looks, or its invariant is not judged there.
    NotHere,
}

const RANDOM: &str = "random";
const EXPLORE: &str = "explore";
const FUZZ: &str = "fuzz";

/// The names of all finders of a program with these engines, of which the first runs worlds.
pub(crate) fn finders(engines: &[&'static str]) -> Vec<&'static str> {
    [RANDOM, EXPLORE, FUZZ].into_iter().chain(engines.iter().copied().skip(1)).collect()
}

impl<'a> Finder<'a> {
    /// The finders of these names; the random one if none is named.
    pub(super) fn chosen(
        names: &[String],
        scenario: &'a dyn AnyScenario,
        engines: &Engines<'a>,
    ) -> Vec<Self> {
        let wanted = |name: &&str| {
            if names.is_empty() { *name == RANDOM } else { names.iter().any(|wanted| wanted == name) }
        };
        let finder = |name| match name {
            RANDOM => Self::Random(scenario),
            EXPLORE => Self::Explore(scenario),
            FUZZ => Self::Fuzz(scenario),
            name => {
                let shells = engines.of(Some(name)).iter().find(|other| other.id() == scenario.id());
                Self::Shells(name, shells.copied())
            }
        };
        finders(&engines.names()).into_iter().filter(wanted).map(finder).collect()
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Random(_) => RANDOM,
            Self::Explore(_) => EXPLORE,
            Self::Fuzz(_) => FUZZ,
            Self::Shells(name, _) => name,
        }
    }

    /// What it tries one of after the other.
    pub(super) fn unit(&self) -> &'static str {
        match self {
            Self::Random(_) | Self::Shells(..) => "seeds",
            Self::Explore(_) => "states",
            Self::Fuzz(_) => "inputs",
        }
    }

    /// Looks for the bug in the variant that shows it.
    pub(super) fn find(&self, planted: &Planted) -> Finding {
        match self {
            Self::Random(scenario) => by_seeds(*scenario, planted, SelftestBudget::WORLDS),
            Self::Explore(scenario) => explore(*scenario, planted),
            Self::Fuzz(scenario) => match scenario.fuzz_planted(&planted.variant(), planted.invariant) {
                Some(Some(score)) => Finding::Found(score),
                Some(None) => Finding::Missed,
                None => Finding::NotHere,
            },
            Self::Shells(_, Some(scenario)) => by_seeds(*scenario, planted, SelftestBudget::SHELLS),
            Self::Shells(_, None) => Finding::NotHere,
        }
    }
}

fn by_seeds(scenario: &dyn AnyScenario, planted: &Planted, budget: SelftestBudget) -> Finding {
    let judged = scenario.catalogue().invariants.iter().any(|info| info.id == planted.invariant);
    if !judged {
        return Finding::NotHere;
    }
    match scenario.find_planted(&planted.variant(), planted.invariant, budget) {
        Ok(Some(score)) => Finding::Found(score),
        Ok(None) => Finding::Missed,
        Err(_) => Finding::NotHere,
    }
}
