use super::pairs::Pairs;
use super::panics::{Panicked, Panics};
use super::recoveries::Recoveries;
use super::states::States;
use crate::digest::of_seed;
use crate::outcome::Outcome;
use crate::{Run, Violation};
use std::collections::BTreeMap;

/// The violations of one invariant: how many seeds, and the first of them.
pub(crate) struct First {
    pub(crate) count: u64,
    pub(crate) seed: u64,
    pub(crate) violation: Violation,
}

/// What a campaign adds up, seed by seed in their order. It does not grow with the number of seeds.
pub(crate) struct Totals {
    pub(crate) seeds: u64,
    pub(crate) events: u64,
    pub(crate) simulated_ms: u64,
    pub(crate) faults: Vec<u64>,
    pub(crate) pairs: Pairs,
    pub(crate) probes: Vec<u64>,
    pub(crate) antecedents: Vec<u64>,
    pub(crate) transitions: Vec<u64>,
    pub(crate) unlisted: u64,
    pub(crate) states: States,
    pub(crate) recoveries: Recoveries,
    pub(crate) overlap_max_ms: i64,
    pub(crate) first: BTreeMap<String, First>,
    pub(crate) panics: Panics,
    pub(crate) digest: u64,
}

impl Totals {
    pub(crate) fn new() -> Self {
        Self {
            seeds: 0,
            events: 0,
            simulated_ms: 0,
            faults: Vec::new(),
            pairs: Pairs::default(),
            probes: Vec::new(),
            antecedents: Vec::new(),
            transitions: Vec::new(),
            unlisted: 0,
            states: States::default(),
            recoveries: Recoveries::new(),
            overlap_max_ms: 0,
            first: BTreeMap::new(),
            panics: Panics::default(),
            digest: 0,
        }
    }

    pub(crate) fn add(&mut self, outcome: Outcome) {
        self.seeds += 1;
        self.digest = self.digest.wrapping_add(of_seed(outcome.seed, outcome.digest()));
        match outcome.run {
            Ok(run) => self.add_run(run),
            Err(message) => self.panics.add(Panicked { seed: outcome.seed, message }),
        }
    }

    fn add_run(&mut self, run: Run) {
        let observer = &run.observer;
        self.events += observer.events();
        self.simulated_ms += u64::try_from(run.simulated_ms).unwrap_or(0);
        self.overlap_max_ms = self.overlap_max_ms.max(observer.overlap_max_ms());
        add_counts(&mut self.faults, observer.faults());
        add_counts(&mut self.probes, observer.probes());
        self.pairs.add(observer.faults());
        add_counts(&mut self.antecedents, observer.antecedents());
        add_counts(&mut self.transitions, observer.transitions());
        self.unlisted += observer.unlisted();
        observer.states().iter().for_each(|&state| self.states.add(run.seed, state));
        for &recovery in observer.recoveries() {
            self.recoveries.add(run.seed, recovery);
        }
        for violation in run.violations.iter() {
            match self.first.get_mut(&violation.invariant) {
                Some(first) => first.count += 1,
                None => {
                    let first = First { count: 1, seed: run.seed, violation: violation.clone() };
                    self.first.insert(violation.invariant.clone(), first);
                }
            }
        }
    }
}

fn add_counts(totals: &mut Vec<u64>, counts: &[u64]) {
    if totals.len() < counts.len() {
        totals.resize(counts.len(), 0);
    }
    for (total, count) in totals.iter_mut().zip(counts) {
        *total += count;
    }
}
