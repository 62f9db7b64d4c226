//! Goal: how far clocks may err is no mystery: what is measured is what can be worked out from lease (L), margin (m) and
//! recovery grace (g). Both margins add up, and a second owner comes one more back-off of 1 ms later (b).

use holdover::{Frontier, FrontierOptions, FrontierRow, Limit, frontier_row};
use holdover_machine::Span;
use holdover_sim::jobs::{ClockFrontier, Promise};
use std::num::NonZeroUsize;

const LEASE: i64 = 5_000;
const BACK_OFF: i64 = 1;

/// Margins and graces, the promised margin last.
const SLACKS: [(Option<i64>, i64); 6] =
    [(Some(0), 0), (Some(100), 0), (Some(0), 401), (Some(301), 200), (Some(1_500), 0), (None, 0)];

fn subject(margin: Option<i64>, grace: i64) -> ClockFrontier {
    let (margin, recovery_grace) = (margin.map(Span::from_ms), Span::from_ms(grace));
    ClockFrontier { margin, recovery_grace, ..ClockFrontier::campaign() }
}

fn measured(subject: &ClockFrontier, variant: &str, kind: &str, ladder: &[i64]) -> FrontierRow {
    let place = subject.kinds().iter().position(|known| known.name == kind).expect("a kind");
    let options = FrontierOptions::new(ClockFrontier::STORIES).threads(NonZeroUsize::new(2).unwrap());
    frontier_row(subject, variant, place, ladder, &options).unwrap().expect("nobody stops it")
}

/// The largest error that passes is the one that was worked out, to the millisecond, whatever margin and grace.
fn check(variant: &str, kind: &str, largest: fn(slack: i64) -> i64) {
    for (margin, grace) in SLACKS {
        let subject = subject(margin, grace);
        let margin = margin.unwrap_or_else(|| subject.promise.margin().ms());
        let largest = largest(margin + grace + BACK_OFF);
        let row = measured(&subject, variant, kind, &[0, largest, largest + 1]);
        let limit = row.limits["single-owner"];
        let is_largest = matches!(limit, Limit::Between { passes, falls, .. } if (passes, falls) == (largest, largest + 1));
        assert!(is_largest, "{variant}, {kind}, margin {margin}, grace {grace}: {limit}, expected {largest}");
    }
}

/// A store's clock that wanders within E gains 2 E over a lease, at most.
#[test]
fn store_clock_wanders() {
    check("hardened", "store-step", |slack| slack / 2);
}

/// Services that stamp and judge, off by E either way, differ by 2 E; one that steps, by E.
#[test]
fn services_judge() {
    check("hardened-without-store-clock", "offset", |slack| slack / 2);
    check("hardened-without-store-clock", "step-back", |slack| slack);
    check("hardened-without-store-clock", "step-forward", |slack| slack);
}

/// An expiry that is read on the worker's wall clock suffers from the judge's error and from its own.
#[test]
fn absolute_expiry() {
    for (margin, grace) in [(0, 0), (100, 0), (0, 401), (301, 200)] {
        let largest = (margin + grace + BACK_OFF) / 2;
        let row = measured(
            &subject(Some(margin), grace),
            "hardened-without-echo",
            "offset",
            &[0, largest, largest + 1],
        );
        let limit = row.limits["single-owner"];
        let is_largest = matches!(limit, Limit::Between { passes, .. } if passes == largest);
        assert!(is_largest, "margin {margin}, grace {grace}: {limit}, expected {largest}");
    }
}

/// Under the store's clock and an echo, clocks that are off for good do no harm, however far.
#[test]
fn fixed_offsets_are_harmless() {
    let far = 1_000 * LEASE;
    for (margin, grace) in SLACKS {
        let row = measured(&subject(margin, grace), "hardened", "offset", &[0, 1, LEASE, far]);
        let harmless = row.limits.iter().all(|(_, limit)| *limit == Limit::AtLeast { cap: far });
        assert!(harmless, "{:?}", row.limits);
    }
}

/// A store that gains e in a lease and a worker that loses e: clean as long as the worker's clock, when the lease may
/// be taken, is not before where it stops: (L - e) (L + g) >= (L - m) (L + e), but for the rounding of readings.
#[test]
fn rates() {
    for (margin, grace) in SLACKS {
        let subject = subject(margin, grace);
        let margin = margin.unwrap_or_else(|| subject.promise.margin().ms());
        let clean = |e: &i64| (LEASE - e) * (LEASE + grace) >= (LEASE - margin) * (LEASE + e);
        let largest = (0..LEASE).take_while(clean).last().expect("no error is clean");
        let ladder: Vec<i64> = [0].into_iter().chain(largest.max(1)..largest + 5).collect();
        let limit = measured(&subject, "hardened", "drift", &ladder).limits["single-owner"];
        let near = matches!(limit, Limit::Between { passes, .. } if (largest..largest + 3).contains(&passes));
        assert!(near, "margin {margin}, grace {grace}: {limit}, expected about {largest}");
    }
}

/// A lease is as long as promised, for as long as the store's clock gains no more than the promise allows for.
#[test]
fn length_of_a_lease() {
    for step in [0, 100, 250, 1_000] {
        let promise = Promise { store_step: Span::from_ms(step), ..ClockFrontier::campaign().promise };
        let largest = promise.store_gain(promise.lease).ms() / 2;
        let subject = ClockFrontier { promise, ..ClockFrontier::campaign() };
        let limit =
            measured(&subject, "hardened", "store-step", &[0, largest, largest + 1]).limits["lease-length"];
        let is_largest = matches!(limit, Limit::Between { passes, .. } if passes == largest);
        assert!(is_largest, "promised step {step}: {limit}, expected {largest}");
    }
}

/// Two believe at once for as long as the error is larger than what is kept free.
#[test]
fn overlap_of_beliefs() {
    for (margin, grace) in SLACKS {
        let subject = subject(margin, grace);
        let slack = margin.unwrap_or_else(|| subject.promise.margin().ms()) + grace + BACK_OFF;
        let row = measured(&subject, "hardened", "store-step", &[slack / 2, 900, 1_200]);
        for overlap in &row.overlaps {
            assert_eq!(overlap.longest_ms, (2 * overlap.size - slack).max(0), "slack {slack}, {overlap:?}");
        }
    }
}

/// Messages that are held, lost and doubled and workers that die move no limit of the hardened variant.
#[test]
fn other_faults_move_nothing() {
    let faulty = ClockFrontier { other_faults: true, ..ClockFrontier::campaign() };
    let options = FrontierOptions::new(2 * ClockFrontier::STORIES).threads(NonZeroUsize::new(2).unwrap());
    for (place, kind) in faulty.kinds().iter().enumerate() {
        let ladder: Vec<i64> =
            kind.ladder.iter().copied().filter(|size| [0, 200, 300, 400, 10_000].contains(size)).collect();
        let reach = |subject: &ClockFrontier| {
            let row =
                frontier_row(subject, "hardened", place, &ladder, &options).unwrap().expect("not stopped");
            row.limits.into_iter().map(|(id, limit)| (id, limit.reach())).collect::<Vec<_>>()
        };
        assert_eq!(reach(&faulty), reach(&ClockFrontier::campaign()), "{}", kind.name);
    }
}
