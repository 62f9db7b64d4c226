use crate::{Exit, number::grouped};
use holdover::{CampaignSummary, Class};

/// Something that keeps a campaign from passing.
pub(crate) struct Problem {
    pub(crate) exit: Exit,
    /// One line about it.
    pub(crate) text: String,
}

impl Problem {
    fn new(exit: Exit, text: String) -> Self {
        Self { exit, text }
    }
}

/// Everything that is wrong, the gravest first.
pub(crate) fn judge(campaign: &CampaignSummary) -> Vec<Problem> {
    let mut problems = Vec::new();
    problems.extend(violated(campaign, Class::Safety, Exit::Safety, "safety"));
    problems.extend(violated(campaign, Class::Liveness, Exit::Liveness, "liveness"));
    problems.extend(panicked(campaign));
    problems.extend(differed(campaign));
    problems.extend(unrepeated(campaign));
    if campaign.floors && campaign.shard.is_none() {
        problems.extend(missed(campaign));
    }
    problems
}

fn violated(campaign: &CampaignSummary, class: Class, exit: Exit, word: &str) -> Option<Problem> {
    let violations = campaign.violations.iter().filter(|found| found.class == class);
    let seeds = grouped(campaign.seeds);
    let names: Vec<String> = violations
        .map(|found| format!("{} in {} of {seeds} seeds", found.invariant, grouped(found.count)))
        .collect();
    (!names.is_empty()).then(|| Problem::new(exit, format!("{word} violated: {}", names.join(", "))))
}

fn panicked(campaign: &CampaignSummary) -> Option<Problem> {
    let panics = &campaign.panics;
    let first = panics.first.first()?;
    let (scenario, variant, seed) = (&campaign.scenario, &campaign.variant, first.seed);
    let text = format!(
        "panicked in {} of {} seeds; seed {seed}: {}; again with: cargo holdover sim {scenario} --variant {variant} --seed {seed}",
        grouped(panics.count),
        grouped(campaign.seeds),
        first.message
    );
    Some(Problem::new(Exit::Panic, text))
}

fn differed(campaign: &CampaignSummary) -> Option<Problem> {
    let text = format!("not deterministic: {}", campaign.nondeterminism.as_ref()?);
    Some(Problem::new(Exit::Nondeterminism, text))
}

fn unrepeated(campaign: &CampaignSummary) -> Option<Problem> {
    let found = campaign.violations.iter().find(|found| !found.reproduced)?;
    let (invariant, seed) = (&found.invariant, found.seed);
    let text = format!("not deterministic: seed {seed} violated {invariant}, and its trace does not");
    Some(Problem::new(Exit::Nondeterminism, text))
}

fn missed(campaign: &CampaignSummary) -> Option<Problem> {
    let missed = campaign.missed();
    if missed.are_met() {
        return None;
    }
    let kinds = [
        ("faults", missed.faults),
        ("probes", missed.probes),
        ("invariants", missed.invariants),
        ("transitions", missed.transitions),
    ];
    let kinds = kinds.iter().filter(|(_, names)| !names.is_empty());
    let kinds: Vec<String> = kinds.map(|(kind, names)| format!("{kind} {}", names.join(", "))).collect();
    Some(Problem::new(Exit::Floor, format!("never met: {}", kinds.join("; "))))
}
