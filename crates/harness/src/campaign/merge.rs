use super::recoveries::Recoveries;
use super::shard::Shard;
use super::summary::{CampaignSummary, ViolationSummary};
use thiserror::Error;

/// Why summaries are not the shards of one campaign.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There is nothing to merge.
    #[error("no shard given")]
    Nothing,
    /// A summary has another format.
    #[error("a summary has schema `{found}`; this version reads `{}`", CampaignSummary::SCHEMA)]
    OtherSchema {
        /// The schema in the summary.
        found: String,
    },
    /// Two summaries differ where shards of one campaign are alike.
    #[error("{scenario} ({variant}): shard {shard} differs from the first in its {what}")]
    Different {
        /// The scenario.
        scenario: String,
        /// The variant.
        variant: String,
        /// The shard that differs.
        shard: Shard,
        /// In what.
        what: &'static str,
    },
    /// A shard is missing or is there twice.
    #[error("{scenario} ({variant}): expected shard {expected} once, found {found}")]
    Count {
        /// The scenario.
        scenario: String,
        /// The variant.
        variant: String,
        /// The shard that is not there once.
        expected: Shard,
        /// How often it is there.
        found: usize,
    },
    /// The seeds of a shard do not begin where those of the one before end.
    #[error(
        "{scenario} ({variant}): shard {shard} begins at seed {found}, the one before ends before {expected}"
    )]
    Apart {
        /// The scenario.
        scenario: String,
        /// The variant.
        variant: String,
        /// The shard.
        shard: Shard,
        /// Where it would have to begin.
        expected: u64,
        /// Where it begins.
        found: u64,
    },
}

impl CampaignSummary {
    /// The campaign that these shards make up, given in any order. It is what one process would have reported,
    /// but for the time it took.
    pub fn merge(mut shards: Vec<Self>) -> Result<Self, MergeError> {
        shards.sort_by_key(Self::shard);
        check(&shards)?;
        let mut shards = shards.into_iter();
        let mut whole = shards.next().ok_or(MergeError::Nothing)?;
        let mut recoveries = Recoveries::new();
        whole.recovery.iter().for_each(|part| recoveries.append(part));
        for shard in shards {
            shard.recovery.iter().for_each(|part| recoveries.append(part));
            whole.append(shard);
        }
        let order: Vec<String> = whole.invariants.iter().map(|(name, _)| name.to_owned()).collect();
        whole.violations.sort_by_key(|found| order.iter().position(|name| *name == found.invariant));
        Ok(Self { shard: None, recovery: recoveries.report(), ..whole })
    }

    fn shard(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }

    /// Adds the shard that follows.
    fn append(&mut self, later: Self) {
        self.seeds = self.seeds.saturating_add(later.seeds);
        self.wanted = self.wanted.saturating_add(later.wanted);
        self.interrupted |= later.interrupted;
        self.events = self.events.saturating_add(later.events);
        self.simulated_ms = self.simulated_ms.saturating_add(later.simulated_ms);
        self.wall_s = self.wall_s.max(later.wall_s);
        self.cpu_s += later.cpu_s;
        self.faults.add(&later.faults);
        self.pairs.unite(&later.pairs);
        self.probes.add(&later.probes);
        self.invariants.add(&later.invariants);
        self.transitions.add(&later.transitions);
        self.unlisted = self.unlisted.saturating_add(later.unlisted);
        self.states.append(&later.states);
        self.panics.append(later.panics);
        self.floors &= later.floors;
        self.nondeterminism = self.nondeterminism.take().or(later.nondeterminism);
        self.digest = self.digest.wrapping_add(later.digest);
        later.violations.into_iter().for_each(|found| self.append_violation(found));
    }

    /// Seeds rise from shard to shard, so that the first shard with a violation has the lowest.
    fn append_violation(&mut self, later: ViolationSummary) {
        match self.violations.iter_mut().find(|found| found.invariant == later.invariant) {
            Some(found) => found.count = found.count.saturating_add(later.count),
            None => self.violations.push(later),
        }
    }

    fn difference(&self, other: &Self) -> Option<&'static str> {
        let alike = [
            (self.version == other.version, "version of Holdover"),
            (self.scenario == other.scenario, "scenario"),
            (self.variant == other.variant, "variant"),
            (self.shard().of() == other.shard().of(), "number of shards"),
            (self.faults.has_the_names_of(&other.faults), "faults"),
            (self.probes.has_the_names_of(&other.probes), "probes"),
            (self.invariants.has_the_names_of(&other.invariants), "invariants"),
            (self.transitions.has_the_names_of(&other.transitions), "transitions"),
        ];
        alike.iter().find(|(alike, _)| !alike).map(|(_, what)| *what)
    }
}

/// Whether these are all shards of one campaign, each once, in their order.
fn check(shards: &[CampaignSummary]) -> Result<(), MergeError> {
    let first = shards.first().ok_or(MergeError::Nothing)?;
    let (scenario, variant) = (first.scenario.clone(), first.variant.clone());
    if let Some(other) = shards.iter().find(|shard| shard.schema != CampaignSummary::SCHEMA) {
        return Err(MergeError::OtherSchema { found: other.schema.clone() });
    }
    for other in shards {
        if let Some(what) = first.difference(other) {
            return Err(MergeError::Different { scenario, variant, shard: other.shard(), what });
        }
    }
    let of = first.shard().of();
    for expected in Shard::all(of) {
        let found = shards.iter().filter(|shard| shard.shard() == expected).count();
        if found != 1 {
            return Err(MergeError::Count { scenario, variant, expected, found });
        }
    }
    for pair in shards.windows(2) {
        let (expected, found) = (pair[0].first_seed.saturating_add(pair[0].wanted), pair[1].first_seed);
        if expected != found {
            return Err(MergeError::Apart { scenario, variant, shard: pair[1].shard(), expected, found });
        }
    }
    Ok(())
}
