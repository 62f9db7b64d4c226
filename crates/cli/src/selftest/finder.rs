use crate::engines::Engines;
use holdover::{AnyScenario, Planted, Score, SelftestBudget};

/// Who looks for a planted bug.
#[derive(Clone, Copy)]
pub(crate) enum Finder<'a> {
    /// Random runs of the world.
    Random(&'a dyn AnyScenario),
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
    /// The bug cannot be planted where this engine looks.
    NotHere,
}

const RANDOM: &str = "random";

/// The names of all finders of a program with these engines, of which the first runs worlds.
pub(crate) fn finders(engines: &[&'static str]) -> Vec<&'static str> {
    [RANDOM].into_iter().chain(engines.iter().copied().skip(1)).collect()
}

impl<'a> Finder<'a> {
    /// The finders of these names; the random one if none is named.
    pub(super) fn chosen(
        names: &[String],
        scenario: &'a dyn AnyScenario,
        engines: &Engines<'a>,
    ) -> Vec<Self> {
        let known = finders(&engines.names());
        let wanted = |name: &&str| {
            if names.is_empty() { *name == RANDOM } else { names.iter().any(|wanted| wanted == name) }
        };
        let finder = |name| match name {
            RANDOM => Self::Random(scenario),
            name => {
                let shells = engines.of(Some(name)).iter().find(|other| other.id() == scenario.id());
                Self::Shells(name, shells.copied())
            }
        };
        known.into_iter().filter(wanted).map(finder).collect()
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Random(_) => RANDOM,
            Self::Shells(name, _) => name,
        }
    }

    /// Looks for the bug in the variant that shows it.
    pub(super) fn find(&self, planted: &Planted) -> Finding {
        let (scenario, budget) = match self {
            Self::Random(scenario) => (*scenario, SelftestBudget::WORLDS),
            Self::Shells(_, Some(scenario)) => (*scenario, SelftestBudget::SHELLS),
            Self::Shells(_, None) => return Finding::NotHere,
        };
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
}
