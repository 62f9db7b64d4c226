//! Writes the digest that `digest.rs` compares with.

use holdover::{CampaignOptions, campaign, hex};
use holdover_sim::jobs::Jobs;
use holdover_tests::{DIGEST_SEEDS, digest_file};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = campaign(&Jobs, &CampaignOptions::new("hardened", 1..DIGEST_SEEDS + 1))?;
    std::fs::write(digest_file(), format!("{}\n", hex(report.digest)))?;
    println!("{} {}", hex(report.digest), digest_file().display());
    Ok(())
}
