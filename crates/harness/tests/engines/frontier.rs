//! The frontier on the toy world: a worker completes its job later and later after it has claimed it.

use crate::toy::{Action, Config, Operation, ToyLease};
use holdover::{
    AnyFrontier, ErrorKind, Frontier, FrontierOptions, FrontierReport, Limit, ScheduleOf, UnknownVariant,
    frontier,
};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

struct Late;

const VARIANTS: [&str; 3] = ["sound", "complete-after-recovery", "sweep-does-nothing"];

impl Frontier for Late {
    type Scenario = ToyLease;

    fn scenario(&self) -> &ToyLease {
        &ToyLease
    }

    fn kinds(&self) -> &[ErrorKind] {
        &[ErrorKind { name: "late", about: "a worker completes this late", ladder: &[0, 50, 99, 100, 400] }]
    }

    fn variants(&self) -> &[&'static str] {
        &VARIANTS
    }

    fn seeds(&self) -> u64 {
        40
    }

    fn scope(&self) -> String {
        "One worker and a sweep.".to_owned()
    }

    /// Only every seventh seed is late.
    fn schedule(&self, _: usize, size: i64, seed: u64) -> ScheduleOf<ToyLease> {
        let call = |operation| Action::Call { worker: 0, operation, held: false };
        let ms = if seed % 7 == 3 { size } else { 0 };
        let actions =
            vec![call(Operation::Claim), Action::Wait { ms }, Action::Sweep, call(Operation::Complete)];
        // A claim that nobody completes shows whether sweeps do anything.
        let abandoned = vec![call(Operation::Claim), Action::Crash { worker: 0 }];
        let actions = if seed % 7 == 5 { abandoned } else { actions };
        ScheduleOf::<ToyLease> { config: Config { workers: 2, fragile: false }, actions }
    }
}

fn measured(threads: usize) -> FrontierReport {
    let options = FrontierOptions::new(40).threads(NonZeroUsize::new(threads).unwrap());
    frontier(&Late, &VARIANTS, &options).unwrap().expect("nobody stops it")
}

/// What holds everywhere, what falls from a size on, and what needs no error are told apart, with the first seed.
#[test]
fn limits_are_told_apart() {
    let report = measured(1);
    let limit = |variant, invariant| report.row(variant, "late").unwrap().limits[invariant];
    let cases = [
        ("sound", "completed-by-holder", Limit::AtLeast { cap: 400 }),
        (
            "complete-after-recovery",
            "completed-by-holder",
            Limit::Between { passes: 99, falls: 100, seed: 3 },
        ),
        ("complete-after-recovery", "renewed-by-holder", Limit::AtLeast { cap: 400 }),
        ("sweep-does-nothing", "converges", Limit::None { seed: 5 }),
    ];
    for (variant, invariant, expected) in cases {
        assert_eq!(limit(variant, invariant), expected, "{variant}, {invariant}");
    }
}

/// The report does not depend on the number of threads, and its table names what falls and what does not.
#[test]
fn threads_do_not_matter() {
    let (one, two) = (measured(1), measured(2));
    assert_eq!(one, two);
    let markdown = one.to_markdown();
    for part in ["completed-by-holder | 99 / 100 |", "`none` for every kind: converges.", "### `sound`"] {
        assert!(markdown.contains(part), "{part}\n{markdown}");
    }
    assert_eq!(one.to_json()["rows"].as_array().map(Vec::len), Some(VARIANTS.len()));
}

/// A trace of a schedule carries its actions in their order.
#[test]
fn a_schedule_is_a_trace() {
    let trace = Late.trace("sound", 0, 100, 3);
    let numbers: Vec<u32> = trace.steps.iter().map(|step| step.number).collect();
    assert_eq!((numbers, &trace.steps[1].action), (vec![1, 2, 3, 4], &Action::Wait { ms: 100 }));
}

/// Every size is told to who watches; who stops it gets no report; an unknown variant is an error.
#[test]
fn watched_and_stopped() {
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let progress = || {
        done.fetch_add(1, Ordering::Relaxed);
    };
    let options = FrontierOptions::new(2).progress(&progress).stop(&stop);
    assert!(Late.measure(&["sound"], &options).unwrap().is_some());
    assert_eq!(done.load(Ordering::Relaxed), Late.sizes());
    stop.store(true, Ordering::Relaxed);
    assert!(Late.measure(&["sound"], &options).unwrap().is_none());
    let error: UnknownVariant = Late.measure(&["wrong"], &options).unwrap_err();
    assert_eq!(error.variant, "wrong");
}
