//! The engine on some seeds.

use holdover::AnyScenario;
use holdover::CampaignOptions;
use std::num::NonZeroUsize;
use std::process::Command;

fn jobs() -> &'static dyn AnyScenario {
    holdover_sim_madsim::scenarios()[0]
}

fn digests(seeds: std::ops::Range<u64>) -> String {
    let digest = |seed| jobs().digest("hardened", seed).expect("a variant");
    seeds.map(|seed| format!("{seed}={:016x};", digest(seed))).collect()
}

/// Goal: nothing falls under hardened, every fault and every rule is met; at least four rules fall under original.
#[test]
fn hardened_holds_and_original_falls() {
    let run = |variant, seeds| jobs().campaign(&CampaignOptions::new(variant, seeds)).expect("a variant");
    let hardened = run("hardened", 1..101);
    let fallen: Vec<&str> =
        hardened.violations.iter().map(|found| &*found.failure.violation.sentence).collect();
    assert!(fallen.is_empty() && hardened.panics.count == 0, "{fallen:?} {:?}", hardened.panics);
    assert!(hardened.missed().are_met(), "{:?}", hardened.missed());
    let original = run("original", 1..101);
    assert!(original.violations.len() >= 4, "{:?}", original.violations);
    assert!(original.violations.iter().all(|found| found.reproduced && !found.trace.is_empty()));
}

/// Goal: what is found does not depend on the number of threads.
#[test]
fn threads_change_nothing() {
    let run = |threads| {
        let options =
            CampaignOptions::new("original", 1..33).threads(NonZeroUsize::new(threads).expect("some"));
        let report = jobs().campaign(&options).expect("a variant");
        (report.digest, report.violations.len())
    };
    assert_eq!(run(1), run(2));
}

/// Goal: another process runs the same seeds to the same digests. The test starts itself again to be that process.
#[test]
fn a_second_process_agrees() {
    const ASKED: &str = "HOLDOVER_PRINT_DIGESTS";
    let here = digests(1..9);
    if std::env::var_os(ASKED).is_some() {
        println!("digests {here}");
        return;
    }
    let program = std::env::current_exe().expect("this test");
    let arguments = ["--exact", "a_second_process_agrees", "--nocapture"];
    let output = Command::new(program).args(arguments).env(ASKED, "1").output().expect("it runs again");
    let there = String::from_utf8_lossy(&output.stdout);
    assert!(there.contains(&format!("digests {here}")), "{here} here, there: {there}");
}
