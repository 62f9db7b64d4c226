use super::finder::Finder;
use super::tested::Tested;
use super::text::{say, sums};
use holdover::{AnyScenario, SelftestBudget};

/// The results as a document.
pub(super) fn table(scenario: &dyn AnyScenario, finders: &[Finder<'_>], all: &[Tested]) -> String {
    let names: Vec<_> = finders.iter().map(Finder::name).collect();
    let engines: String = names.iter().map(|name| format!(" --engine {name}")).collect();
    let mut text = format!(
        "# Planted bugs of the scenario `{}`\n\n\
         Written by `cargo holdover selftest{engines} --table docs/selftest.md`; a test compares it with the catalogue.\n\n\
         Each bug is planted by itself, and counts as found only if the invariant that stands beside it falls: a panic or\n\
         another invariant is no find. *Masked by* names a second bug without which the first does not show, because\n\
         another rule catches it. Scores are taken on seeds from {} on, that the mix of actions was not tuned with:\n\
         how many seeds it takes, on average over up to {} finds, and the fewest actions that one of them was shrunk to.\n\
         *Not here* means that the bug cannot be planted where an engine looks, or that its invariant is not judged there.\n\n",
        scenario.id(),
        SelftestBudget::WORLDS.first_seed,
        SelftestBudget::WORLDS.samples,
    );
    for (place, finder) in finders.iter().enumerate() {
        text.push_str(&format!("- {}\n", sums(finder, place, all)));
    }
    let missed: Vec<_> =
        all.iter().filter(|tested| tested.is_missed()).map(|tested| tested.planted.id).collect();
    text.push_str(&format!(
        "- misses: {}\n\n",
        if missed.is_empty() { "none".to_owned() } else { missed.join(", ") }
    ));
    text.push_str(&format!(
        "bug | class | source | what is wrong | must fall | masked by | {}\n",
        names.join(" | ")
    ));
    text.push_str(&format!("--- | --- | --- | --- | --- | ---{}\n", " | ---".repeat(names.len())));
    for tested in all {
        text.push_str(&row(finders, tested));
    }
    text
}

fn row(finders: &[Finder<'_>], tested: &Tested) -> String {
    let planted = &tested.planted;
    let source = planted.source.trim_start_matches('-');
    let findings: Vec<String> =
        finders.iter().zip(&tested.findings).map(|(finder, finding)| say(finder, finding)).collect();
    format!(
        "{} | {} | {source} | {} | {} | {} | {}\n",
        planted.id,
        planted.class,
        planted.about,
        planted.invariant,
        planted.masked_by.unwrap_or(""),
        findings.join(" | ")
    )
}
