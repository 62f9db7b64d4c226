//! Goal: the same seeds give the same digest, in any process, any build profile, with any number of threads. All
//! of them are compared through one small committed file, which `cargo xtask bless` rewrites when the world
//! changes on purpose.

use holdover::{CampaignOptions, campaign, hex};
use holdover_sim::jobs::Jobs;
use holdover_tests::{DIGEST_SEEDS, digest_file};
use std::num::NonZeroUsize;

/// One thread and two give the committed digest, in whatever profile this test was built.
#[test]
fn digest_is_the_committed_one() {
    let committed = std::fs::read_to_string(digest_file()).unwrap();
    for threads in [1, 2] {
        let threads = NonZeroUsize::new(threads).unwrap();
        let options = CampaignOptions::new("hardened", 1..DIGEST_SEEDS + 1).threads(threads);
        let report = campaign(&Jobs, &options).unwrap();
        assert_eq!(committed.trim(), hex(report.digest), "{threads} threads");
    }
}
