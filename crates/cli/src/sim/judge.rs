use super::campaign::Campaign;
use crate::Exit;
use crate::number::grouped;
use holdover::Class;

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
pub(crate) fn judge(campaign: &Campaign) -> Vec<Problem> {
    let mut problems = Vec::new();
    problems.extend(violated(campaign, Class::Safety, Exit::Safety, "safety"));
    problems.extend(violated(campaign, Class::Liveness, Exit::Liveness, "liveness"));
    problems.extend(panicked(campaign));
    problems.extend(differed(campaign));
    problems.extend(unrepeated(campaign));
    if campaign.floors {
        problems.extend(missed(campaign));
    }
    problems
}

fn violated(campaign: &Campaign, class: Class, exit: Exit, word: &str) -> Option<Problem> {
    let violations = campaign.report.violations.iter().filter(|found| found.failure.violation.class == class);
    let seeds = grouped(campaign.report.seeds);
    let names: Vec<String> = violations
        .map(|found| {
            format!("{} in {} of {seeds} seeds", found.failure.violation.invariant, grouped(found.count))
        })
        .collect();
    (!names.is_empty()).then(|| Problem::new(exit, format!("{word} violated: {}", names.join(", "))))
}

fn panicked(campaign: &Campaign) -> Option<Problem> {
    let panics = &campaign.report.panics;
    let first = panics.first.first()?;
    let (scenario, variant, seed) = (campaign.report.scenario, &campaign.report.variant, first.seed);
    let text = format!(
        "panicked in {} of {} seeds; seed {seed}: {}; again with: cargo holdover sim {scenario} --variant {variant} --seed {seed}",
        grouped(panics.count),
        grouped(campaign.report.seeds),
        first.message
    );
    Some(Problem::new(Exit::Panic, text))
}

fn differed(campaign: &Campaign) -> Option<Problem> {
    let difference = campaign.difference.as_ref()?;
    let text = format!(
        "not deterministic: seed {} gave `{}` here and `{}` in a fresh process",
        difference.seed, difference.here, difference.there
    );
    Some(Problem::new(Exit::Nondeterminism, text))
}

fn unrepeated(campaign: &Campaign) -> Option<Problem> {
    let found = campaign.report.violations.iter().find(|found| !found.reproduced)?;
    let (invariant, seed) = (&found.failure.violation.invariant, found.seed);
    let text = format!("not deterministic: seed {seed} violated {invariant}, and its trace does not");
    Some(Problem::new(Exit::Nondeterminism, text))
}

fn missed(campaign: &Campaign) -> Option<Problem> {
    let missed = campaign.report.missed();
    if missed.are_met() {
        return None;
    }
    let kinds = [("faults", missed.faults), ("probes", missed.probes), ("invariants", missed.invariants)];
    let kinds = kinds.iter().filter(|(_, names)| !names.is_empty());
    let kinds: Vec<String> = kinds.map(|(kind, names)| format!("{kind} {}", names.join(", "))).collect();
    Some(Problem::new(Exit::Floor, format!("never met: {}", kinds.join("; "))))
}
