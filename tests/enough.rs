//! Goal: a campaign tells whether it was enough, and what it demands can be met: the default variant makes every
//! transition that is listed, and none that is not.

use holdover::{CampaignOptions, campaign};
use holdover_sim::jobs::Jobs;

/// As many seeds as a campaign has by default.
const SEEDS: u64 = 10_000;

/// A list that is too long or too short is noticed.
#[test]
fn the_default_campaign_is_enough() {
    let report = campaign(&Jobs, &CampaignOptions::new("hardened", 1..SEEDS + 1)).unwrap();
    assert_eq!(report.missed().transitions, Vec::<String>::new());
    assert_eq!(report.unlisted, 0);
    assert!(report.missed().are_met(), "{:?}", report.missed());
}
