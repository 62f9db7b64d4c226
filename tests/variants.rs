//! Goal: the committed table of variants and invariants says what campaigns see.

use holdover::Scenario;
use holdover::{CampaignOptions, campaign};
use holdover_jobs::KNOBS;
use holdover_sim::jobs::{EVIDENCE, Jobs};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

/// Enough seeds that every invariant that falls under random search has fallen.
const SEEDS: u64 = 20_000;

fn fallen(variant: &str, seeds: u64) -> BTreeSet<String> {
    let threads = NonZeroUsize::new(2).unwrap();
    let options = CampaignOptions::new(variant, 1..seeds + 1).threads(threads).shrink(0);
    let report = campaign(&Jobs, &options).unwrap();
    assert!((report.panics.count == 0), "{:?}", report.panics);
    report.violations.iter().map(|found| found.failure.violation.invariant.clone()).collect()
}

/// The table as it is committed: an invariant a line, what becomes of it under each variant.
fn table() -> String {
    let mut text = String::from("invariant | original | hardened\n--- | --- | ---\n");
    for invariant in Jobs.catalogue().invariants {
        let weaknesses: Vec<_> = EVIDENCE
            .iter()
            .filter(|evidence| evidence.invariant == invariant.id)
            .filter_map(|evidence| KNOBS.iter().find(|knob| knob.id == evidence.knob))
            .map(|knob| format!("{} ({})", knob.id, knob.weakness))
            .chain(ALSO.iter().filter(|(id, _)| *id == invariant.id).map(|(_, why)| (*why).to_owned()))
            .collect();
        let original =
            if weaknesses.is_empty() { "holds".into() } else { format!("falls: {}", weaknesses.join(", ")) };
        text.push_str(&format!("{} | {original} | holds\n", invariant.id));
    }
    text
}

/// Invariants that fall under the original by a weakness whose named invariant is another.
const ALSO: &[(&str, &str)] = &[("terminal-absorbing", "parked (W19)")];

/// The committed file is the table.
#[test]
fn table_is_committed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/jobs-invariants.md");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed.contains(&table()), "docs/jobs-invariants.md must hold this table:\n{}", table());
}

/// Every invariant that falls under the original in a campaign is said to; each that is said to has fallen there
/// or in a committed trace.
#[test]
fn original_falls_as_the_table_says() {
    let said: BTreeSet<String> = EVIDENCE
        .iter()
        .map(|evidence| evidence.invariant)
        .chain(ALSO.iter().map(|(id, _)| *id))
        .map(str::to_owned)
        .collect();
    let seen = fallen("original", SEEDS);
    assert!(seen.is_subset(&said), "fallen but not in the table: {:?}", seen.difference(&said));
    assert!(seen.len() >= 10, "{seen:?}");
    let traced: BTreeSet<String> = EVIDENCE.iter().map(|evidence| evidence.invariant.to_owned()).collect();
    let unseen: Vec<_> = said.iter().filter(|id| !seen.contains(*id) && !traced.contains(*id)).collect();
    assert!(unseen.is_empty(), "in the table but not fallen: {unseen:?}");
}

/// The hardened variant holds, on seeds that were not used to tune it.
#[test]
fn hardened_holds() {
    let threads = NonZeroUsize::new(2).unwrap();
    let options = CampaignOptions::new("hardened", 5_000_000..5_000_000 + SEEDS).threads(threads);
    let report = campaign(&Jobs, &options).unwrap();
    let found: Vec<_> = report.violations.iter().map(|found| &found.trace).collect();
    assert!(found.is_empty() && (report.panics.count == 0), "{found:?}");
}
