//! A small world with bugs to switch on: two workers, one job, one store and requests in flight.

mod action;
mod scenario;
mod store;
mod world;

pub(crate) use action::{Action, Operation};
pub(crate) use scenario::{Config, ToyLease};

use holdover::{TraceOf, Trial, record, run};

/// The planted bugs, the invariant that falls with each, and how many actions the shortest failure takes.
pub(crate) const PLANTED: [(&str, &str, usize); 4] = [
    ("heartbeat-ignores-token", "renewed-by-holder", 5),
    ("recover-keeps-lease", "ready-is-free", 2),
    ("complete-after-recovery", "completed-by-holder", 4),
    ("sweep-does-nothing", "converges", 2),
];

pub(crate) fn trial(variant: &str) -> Trial<'static, ToyLease> {
    Trial::new(&ToyLease, variant).expect("a variant of the toy world")
}

/// The traces of the first `count` seeds that violate the invariant.
pub(crate) fn failures<'a>(
    trial: &'a Trial<'_, ToyLease>,
    invariant: &'a str,
    count: usize,
) -> impl Iterator<Item = TraceOf<ToyLease>> {
    let seeds = (0..5_000).filter(move |&seed| run(trial, seed).violations.of(invariant).is_some());
    seeds.take(count).map(move |seed| {
        let (_, mut trace) = record(trial, seed);
        trace.violates = Some(invariant.to_owned());
        trace
    })
}
