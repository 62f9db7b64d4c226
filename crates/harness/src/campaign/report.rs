use super::counts::Counts;
use super::found::FoundViolation;
use super::options::CampaignOptions;
use super::pairs::PairReport;
use super::panics::Panics;
use super::recoveries::RecoveryReport;
use super::states::States;
use super::totals::{First, Totals};
use crate::Catalogue;

/// What a campaign has seen.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CampaignReport {
    /// The scenario.
    pub scenario: &'static str,
    /// The variant.
    pub variant: String,
    /// The first seed.
    pub first_seed: u64,
    /// How many seeds were run, from the first one on.
    pub seeds: u64,
    /// How many it was to run.
    pub wanted: u64,
    /// Whether it was stopped before the last seed.
    pub interrupted: bool,
    /// Events in all runs.
    pub events: u64,
    /// Simulated time of all runs, in milliseconds.
    pub simulated_ms: u64,
    /// How often each kind of fault was noticed.
    pub faults: Counts,
    /// Which pairs of fault kinds were noticed in one and the same seed.
    pub pairs: PairReport,
    /// How often each rare branch was reached.
    pub probes: Counts,
    /// How often each invariant could have failed.
    pub antecedents: Counts,
    /// How often each transition was made.
    pub transitions: Counts,
    /// How often one was made that the catalogue does not list.
    pub unlisted: u64,
    /// How many different states were reached.
    pub states: States,
    /// How long recoveries took; `None` if there were none.
    pub recovery: Option<RecoveryReport>,
    /// The violated invariants, in the order of the catalogue.
    pub violations: Vec<FoundViolation>,
    /// The seeds that panicked.
    pub panics: Panics,
    /// The digests of all seeds, each bound to its seed, added up.
    pub digest: u64,
}

impl CampaignReport {
    pub(crate) fn new(
        (scenario, catalogue): (&'static str, Catalogue),
        options: &CampaignOptions<'_>,
        totals: Totals,
        found: impl FnMut(First) -> FoundViolation,
    ) -> Self {
        let invariants = catalogue.invariants.iter().map(|invariant| invariant.id);
        let place = |id: &str| catalogue.invariants.iter().position(|invariant| invariant.id == id);
        let mut first: Vec<First> = totals.first.into_values().collect();
        first.sort_by_key(|first| place(&first.violation.invariant));
        let wanted = options.seeds.end.saturating_sub(options.seeds.start);
        Self {
            scenario,
            variant: options.variant.to_owned(),
            first_seed: options.seeds.start,
            seeds: totals.seeds,
            wanted,
            interrupted: totals.seeds < wanted,
            events: totals.events,
            simulated_ms: totals.simulated_ms,
            faults: Counts::new(catalogue.faults.iter().copied(), &totals.faults),
            pairs: totals.pairs.report(catalogue.faults),
            probes: Counts::new(catalogue.probes.iter().copied(), &totals.probes),
            antecedents: Counts::new(invariants, &totals.antecedents),
            transitions: Counts::new(catalogue.transitions.iter().copied(), &totals.transitions),
            unlisted: totals.unlisted,
            states: totals.states,
            recovery: totals.recoveries.report(),
            violations: first.into_iter().map(found).collect(),
            panics: totals.panics,
            digest: totals.digest,
        }
    }
}
