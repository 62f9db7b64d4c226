use super::counts::Counts;
use super::found::FoundViolation;
use super::panics::Panics;
use super::recoveries::RecoveryReport;
use super::report::CampaignReport;
use crate::{Class, Failure, hex};
use serde::Serialize;

/// A campaign as one JSON object, for `--json`.
#[derive(Debug, Serialize)]
pub struct CampaignSummary<'a> {
    schema: &'static str,
    scenario: &'a str,
    variant: &'a str,
    first_seed: u64,
    seeds: u64,
    interrupted: bool,
    events: u64,
    simulated_ms: u64,
    wall_s: f64,
    cpu_s: f64,
    faults: &'a Counts,
    probes: &'a Counts,
    invariants: &'a Counts,
    recovery: Option<RecoveryReport>,
    violations: Vec<ViolationSummary<'a>>,
    panics: &'a Panics,
    digest: String,
}

#[derive(Debug, Serialize)]
struct ViolationSummary<'a> {
    invariant: &'a str,
    class: Class,
    count: u64,
    seed: u64,
    sentence: &'a str,
    actions: usize,
    trace: Option<&'a str>,
}

impl CampaignReport {
    /// The report for machines, with the time that the caller has measured.
    pub fn summary(&self, wall_s: f64, cpu_s: f64) -> CampaignSummary<'_> {
        CampaignSummary {
            schema: "holdover-campaign-v1",
            scenario: self.scenario,
            variant: &self.variant,
            first_seed: self.first_seed,
            seeds: self.seeds,
            interrupted: self.interrupted,
            events: self.events,
            simulated_ms: self.simulated_ms,
            wall_s,
            cpu_s,
            faults: &self.faults,
            probes: &self.probes,
            invariants: &self.antecedents,
            recovery: self.recovery,
            violations: self.violations.iter().map(ViolationSummary::from).collect(),
            panics: &self.panics,
            digest: hex(self.digest),
        }
    }
}

impl<'a> From<&'a FoundViolation> for ViolationSummary<'a> {
    fn from(found: &'a FoundViolation) -> Self {
        let Failure { violation, sizes, path, .. } = &found.failure;
        Self {
            invariant: &violation.invariant,
            class: violation.class,
            count: found.count,
            seed: found.seed,
            sentence: &violation.sentence,
            actions: sizes.actions,
            trace: path.as_deref(),
        }
    }
}
