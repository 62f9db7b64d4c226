//! Campaigns add up the same on any number of threads, survive panics and stop when told to.

use crate::script::{Action, Script};
use crate::toy::{PLANTED, ToyLease, trial};
use holdover::{AnyScenario, CampaignOptions, CampaignReport, Conduct, TraceError, record, run};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn campaign(options: &CampaignOptions<'_>) -> CampaignReport {
    ToyLease.campaign(options).expect("a variant of the toy world")
}

/// All that a report says, as text to compare.
fn text(report: &CampaignReport) -> String {
    format!("{report:?} {}", serde_json::to_string(&report.summary(Conduct::default())).expect("JSON"))
}

/// One thread and three give the same report, to the last byte of the shrunk traces; so does a second run.
#[test]
fn threads_do_not_change_the_report() {
    for (variant, invariant, _) in PLANTED {
        let options = CampaignOptions::new(variant, 5..405);
        let single = campaign(&options.clone());
        let three = NonZeroUsize::new(3).expect("three");
        for other in [campaign(&options.clone().threads(three)), campaign(&options)] {
            assert_eq!(text(&single), text(&other), "{variant}");
        }
        let found: Vec<&str> =
            single.violations.iter().map(|found| found.failure.violation.invariant.as_str()).collect();
        assert_eq!(found, [invariant]);
    }
}

/// The report adds up exactly what single runs say.
#[test]
fn a_campaign_is_the_sum_of_its_runs() {
    let trial = trial("sweep-does-nothing");
    let runs: Vec<_> = (40..140).map(|seed| run(&trial, seed)).collect();
    let report = campaign(&CampaignOptions::new("sweep-does-nothing", 40..140));
    let broken: Vec<u64> = runs.iter().filter(|run| !run.violations.is_empty()).map(|run| run.seed).collect();
    assert_eq!(report.seeds, 100);
    assert_eq!(report.events, runs.iter().map(|run| run.observer.events()).sum::<u64>());
    assert_eq!(report.simulated_ms, runs.iter().map(|run| run.simulated_ms as u64).sum::<u64>());
    for (kind, (name, count)) in report.faults.iter().enumerate() {
        let noticed = runs.iter().map(|run| run.observer.faults().get(kind).copied().unwrap_or(0));
        assert_eq!(count, noticed.sum::<u64>(), "{name}");
    }
    let found = &report.violations[0];
    assert_eq!((found.count, found.seed), (broken.len() as u64, broken[0]));
    assert!(found.reproduced);
    let longest =
        runs.iter().flat_map(|run| run.observer.recoveries().iter().map(|recovery| recovery.took_ms)).max();
    let recovery = report.recovery.expect("each run recovers once");
    assert_eq!((recovery.count, Some(recovery.max_ms), recovery.bound_ms), (100, longest, 1_000));
    assert!(recovery.p50_ms <= recovery.p99_ms && recovery.p99_ms as i64 <= recovery.max_ms);
}

/// Violated invariants stand in the order of the catalogue, each with its own trace.
#[test]
fn violations_stand_in_the_order_of_the_catalogue() {
    let script = Script(|steps| match steps.last()?.action {
        Action::Left => Some("ant"),
        Action::Right => Some("zebra"),
        _ => None,
    });
    let report = script.campaign(&CampaignOptions::new("only", 0..50)).expect("the only variant");
    let found =
        report.violations.iter().map(|found| (found.failure.violation.invariant.as_str(), found.reproduced));
    assert_eq!(found.collect::<Vec<_>>(), [("zebra", true), ("ant", true)]);
}

/// The digest depends on the order of seeds and on nothing else, so that parts can be compared one by one.
#[test]
fn the_digest_folds_seeds_in_order() {
    let whole = campaign(&CampaignOptions::new("sound", 0..100)).digest;
    assert_eq!(whole, campaign(&CampaignOptions::new("sound", 0..100)).digest);
    assert_ne!(whole, campaign(&CampaignOptions::new("sound", 0..99)).digest);
    assert_ne!(whole, campaign(&CampaignOptions::new("sound", 1..101)).digest);
    let panicking = campaign(&CampaignOptions::new("panics", 0..10)).digest;
    assert_ne!(panicking, campaign(&CampaignOptions::new("sound", 0..10)).digest);
    assert_eq!(ToyLease.digest("panics", 7), Ok(u64::MAX));
    assert_eq!(ToyLease.digest("sound", 7), Ok(run(&trial("sound"), 7).observer.digest()));
}

/// A panic is counted with its seed and its message, and the other seeds run.
#[test]
fn panics_are_caught_and_told() {
    let report = campaign(&CampaignOptions::new("panics", 0..100));
    assert_eq!((report.seeds, report.panics.count), (100, 3));
    let [first] = report.panics.first.as_slice() else { panic!("one message: {:?}", report.panics) };
    assert_eq!(first.seed, 7);
    assert!(first.message.starts_with("planted panic ("), "{}", first.message);
    let seed = ToyLease.run_seed("panics", 7).expect("a variant");
    assert_eq!(seed.outcome.err(), Some(first.message.clone()));
    let trace = record(&trial("sound"), 7).1.to_json();
    let error = ToyLease.replay(&trace, Some("panics")).map(|_| ()).unwrap_err();
    assert_eq!(error, TraceError::Panicked(first.message.clone()));
}

/// A violation that does not come again is reported as it was seen, and as not reproduced.
#[test]
fn what_is_not_decided_by_the_seed_is_told() {
    let report = campaign(&CampaignOptions::new("leaks", 0..10));
    let [found] = report.violations.as_slice() else { panic!("one violation: {report:?}") };
    assert_eq!((found.count, found.seed, found.reproduced), (1, 0, false));
    assert_eq!(found.failure.violation.invariant, "converges");
}

/// A campaign that is stopped reports the seeds up to there, exactly as if no more had been asked for.
#[test]
fn a_stopped_campaign_has_no_gap() {
    let stop = AtomicBool::new(false);
    let last = AtomicU64::new(0);
    let progress = |done| {
        last.fetch_max(done, Ordering::Relaxed);
        stop.store(done >= 50, Ordering::Relaxed);
    };
    let two = NonZeroUsize::new(2).expect("two");
    let options = CampaignOptions::new("sound", 0..1_000_000).threads(two).stop(&stop).progress(&progress);
    let report = campaign(&options);
    assert!(report.interrupted && report.seeds >= 50, "{}", report.seeds);
    assert_eq!(last.into_inner(), report.seeds);
    let again = campaign(&CampaignOptions::new("sound", 0..report.seeds));
    assert!(!again.interrupted);
    assert_eq!((again.digest, again.events), (report.digest, report.events));
}

/// What was never met is named, so that a campaign that tests nothing does not pass for a good one.
#[test]
fn floors_name_what_was_not_met() {
    let missed = campaign(&CampaignOptions::new("sound", 0..200)).missed();
    assert_eq!(missed.faults, ["clock-freeze", "clock-step"]);
    assert!(missed.probes.is_empty() && missed.invariants.is_empty(), "{missed:?}");
    let nothing = campaign(&CampaignOptions::new("sound", 0..0)).missed();
    assert_eq!((nothing.faults.len(), nothing.probes.len(), nothing.invariants.len()), (5, 2, 4));
    assert!(!nothing.are_met());
}

/// Without shrinking, the trace is the whole run and still fails.
#[test]
fn shrinking_can_be_left_out() {
    let report = campaign(&CampaignOptions::new("recover-keeps-lease", 0..50).shrink(0));
    let found = &report.violations[0];
    assert!(found.reproduced && found.failure.sizes.actions > 20, "{:?}", found.failure.sizes);
    assert_eq!(found.failure.sizes.actions, found.failure.sizes.recorded);
}

/// A variant that does not exist is refused with the names that do.
#[test]
fn an_unknown_variant_is_refused() {
    let error = ToyLease.campaign(&CampaignOptions::new("loud", 0..1)).map(|_| ()).unwrap_err();
    assert!(
        error.to_string().starts_with("scenario toy-lease has no variant `loud`; it has sound, "),
        "{error}"
    );
    assert!(!ToyLease.has_variant("loud") && ToyLease.has_variant("sound"));
}
