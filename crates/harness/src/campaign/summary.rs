use super::counts::Counts;
use super::found::FoundViolation;
use super::pairs::PairReport;
use super::panics::Panics;
use super::recoveries::RecoveryReport;
use super::report::CampaignReport;
use super::shard::Shard;
use super::states::States;
use crate::digest::as_hex;
use crate::{Class, Failure, Layout};
use serde::{Deserialize, Serialize};

/// How stories are laid out in a summary, whoever reads it later.
const STORY: Layout = Layout { columns: 100, colour: false };

/// A campaign as one JSON object, for `--json`: enough to add shards up, to judge them and to tell what was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CampaignSummary {
    /// The format.
    pub schema: String,
    /// The version of Holdover.
    pub version: String,
    /// The scenario.
    pub scenario: String,
    /// The variant.
    pub variant: String,
    /// Which part of the campaign this is; none for the whole.
    pub shard: Option<Shard>,
    /// The first seed.
    pub first_seed: u64,
    /// How many seeds were run.
    pub seeds: u64,
    /// How many were to be run, from the first one on.
    pub wanted: u64,
    /// Whether it was stopped before the last seed.
    pub interrupted: bool,
    /// Events in all runs.
    pub events: u64,
    /// Simulated time of all runs, in milliseconds.
    pub simulated_ms: u64,
    /// Real time in seconds; that of the slowest shard.
    pub wall_s: f64,
    /// Processor time in seconds.
    pub cpu_s: f64,
    /// How often each kind of fault was noticed.
    pub faults: Counts,
    /// Which pairs of fault kinds were noticed in one and the same seed.
    pub pairs: PairReport,
    /// How often each rare branch was reached.
    pub probes: Counts,
    /// How often each invariant could have failed.
    pub invariants: Counts,
    /// How often each transition was made.
    pub transitions: Counts,
    /// How often one was made that the catalogue does not list, as other variants than the default may.
    pub unlisted: u64,
    /// How many different states were reached, of a sample of states.
    pub states: States,
    /// How long recoveries took; `None` if there were none.
    pub recovery: Option<RecoveryReport>,
    /// The violated invariants, in the order of the catalogue.
    pub violations: Vec<ViolationSummary>,
    /// The seeds that panicked.
    pub panics: Panics,
    /// Whether the whole must have met everything countable. A shard alone is not held to it.
    pub floors: bool,
    /// How a fresh process differed, if it did.
    pub nondeterminism: Option<String>,
    /// The digests of all seeds, each bound to its seed, added up.
    #[serde(with = "as_hex")]
    pub digest: u64,
}

/// A violated invariant in a summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ViolationSummary {
    /// The invariant.
    pub invariant: String,
    /// Safety or liveness.
    pub class: Class,
    /// In how many seeds it was violated.
    pub count: u64,
    /// The lowest of these seeds.
    pub seed: u64,
    /// What was promised and what was seen.
    pub sentence: String,
    /// How many actions the trace has.
    pub actions: usize,
    /// Where the trace is kept.
    pub trace: Option<String>,
    /// Whether the trace shows the violation again.
    pub reproduced: bool,
    /// The report of the failure, as text.
    pub story: String,
}

/// What the caller of a campaign knows and the campaign does not.
#[derive(Debug, Clone, Default)]
pub struct Conduct {
    /// Which part of a larger campaign it was.
    pub shard: Option<Shard>,
    /// Real time in seconds.
    pub wall_s: f64,
    /// Processor time in seconds.
    pub cpu_s: f64,
    /// Whether everything countable must have been met.
    pub floors: bool,
    /// How a fresh process differed, if it did.
    pub nondeterminism: Option<String>,
}

impl CampaignSummary {
    pub(crate) const SCHEMA: &'static str = "holdover-campaign-v3";
}

impl CampaignReport {
    /// The report as data.
    pub fn summary(&self, conduct: Conduct) -> CampaignSummary {
        CampaignSummary {
            schema: CampaignSummary::SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scenario: self.scenario.to_owned(),
            variant: self.variant.clone(),
            shard: conduct.shard,
            first_seed: self.first_seed,
            seeds: self.seeds,
            wanted: self.wanted,
            interrupted: self.interrupted,
            events: self.events,
            simulated_ms: self.simulated_ms,
            wall_s: conduct.wall_s,
            cpu_s: conduct.cpu_s,
            faults: self.faults.clone(),
            pairs: self.pairs.clone(),
            probes: self.probes.clone(),
            invariants: self.antecedents.clone(),
            transitions: self.transitions.clone(),
            unlisted: self.unlisted,
            states: self.states.clone(),
            recovery: self.recovery.clone(),
            violations: self.violations.iter().map(ViolationSummary::from).collect(),
            panics: self.panics.clone(),
            floors: conduct.floors,
            nondeterminism: conduct.nondeterminism,
            digest: self.digest,
        }
    }
}

impl From<&FoundViolation> for ViolationSummary {
    fn from(found: &FoundViolation) -> Self {
        let Failure { violation, sizes, path, .. } = &found.failure;
        Self {
            invariant: violation.invariant.clone(),
            class: violation.class,
            count: found.count,
            seed: found.seed,
            sentence: violation.sentence.clone(),
            actions: sizes.actions,
            trace: path.clone(),
            reproduced: found.reproduced,
            story: found.failure.render(STORY),
        }
    }
}
