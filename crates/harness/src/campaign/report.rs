use super::counts::Counts;
use super::options::CampaignOptions;
use super::panics::Panics;
use super::recoveries::RecoveryReport;
use super::totals::{Found, Totals};
use crate::{Scenario, Trial, Violation, record};

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
    /// Whether it was stopped before the last seed.
    pub interrupted: bool,
    /// Events in all runs.
    pub events: u64,
    /// Simulated time of all runs, in milliseconds.
    pub simulated_ms: u64,
    /// How often each kind of fault was noticed.
    pub faults: Counts,
    /// How often each rare branch was reached.
    pub probes: Counts,
    /// How often each invariant could have failed.
    pub antecedents: Counts,
    /// How long recoveries took; `None` if there were none.
    pub recovery: Option<RecoveryReport>,
    /// The violated invariants, in the order of the catalogue.
    pub violations: Vec<FoundViolation>,
    /// The seeds that panicked.
    pub panics: Panics,
    /// The digests of all seeds, folded in seed order.
    pub digest: u64,
}

/// A violated invariant.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FoundViolation {
    /// The violation, as the trace below shows it.
    pub violation: Violation,
    /// In how many seeds it was violated.
    pub count: u64,
    /// The lowest of these seeds.
    pub seed: u64,
    /// The trace of that seed as JSON, shrunk.
    pub trace: String,
    /// How many actions it has.
    pub actions: usize,
    /// How many actions were recorded before shrinking.
    pub recorded: usize,
    /// How many replays shrinking took.
    pub replays: u32,
    /// Where the caller has kept the trace, for reports to name; `None` until it says so.
    pub path: Option<String>,
}

impl CampaignReport {
    pub(crate) fn new<S: Scenario>(
        trial: &Trial<'_, S>,
        options: &CampaignOptions<'_>,
        totals: Totals,
    ) -> Self {
        let catalogue = trial.scenario.catalogue();
        let invariants = catalogue.invariants.iter().map(|invariant| invariant.id);
        let place = |id: &str| catalogue.invariants.iter().position(|invariant| invariant.id == id);
        let mut found: Vec<Found> = totals.found.into_values().collect();
        found.sort_by_key(|found| place(&found.violation.invariant));
        Self {
            scenario: trial.scenario.id(),
            variant: trial.name.clone(),
            first_seed: options.seeds.start,
            seeds: totals.seeds,
            interrupted: totals.seeds < options.seeds.end.saturating_sub(options.seeds.start),
            events: totals.events,
            simulated_ms: totals.simulated_ms,
            faults: Counts::new(catalogue.faults.iter().copied(), &totals.faults),
            probes: Counts::new(catalogue.probes.iter().copied(), &totals.probes),
            antecedents: Counts::new(invariants, &totals.antecedents),
            recovery: totals.recoveries.report(),
            violations: found.into_iter().map(|found| FoundViolation::new(trial, found)).collect(),
            panics: totals.panics,
            digest: totals.digest,
        }
    }
}

impl FoundViolation {
    fn new<S: Scenario>(trial: &Trial<'_, S>, found: Found) -> Self {
        let (_, mut trace) = record(trial, found.seed);
        trace.violates = Some(found.violation.invariant.clone());
        Self {
            violation: found.violation,
            count: found.count,
            seed: found.seed,
            actions: trace.steps.len(),
            recorded: trace.steps.len(),
            replays: 0,
            path: None,
            trace: trace.to_json(),
        }
    }
}
