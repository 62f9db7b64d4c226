use super::found::FoundViolation;
use super::options::CampaignOptions;
use super::report::CampaignReport;
use super::totals::Totals;
use crate::outcome::Outcome;
use crate::{Scenario, Trial, UnknownVariant};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// How many seeds a thread takes at a time: enough to make the lock cheap, few enough to stop soon.
const CHUNK: u64 = 16;

/// How many chunks may be done ahead of one that takes long. They wait for it in memory.
const AHEAD_MAX: u64 = 1_024;

/// Runs a range of seeds, adds them up in seed order whatever thread they ran on, and keeps the lowest failing
/// seed of each invariant as a trace, shrunk.
pub fn campaign<S: Scenario>(
    scenario: &S,
    options: &CampaignOptions<'_>,
) -> Result<CampaignReport, UnknownVariant> {
    let trial = Trial::new(scenario, options.variant)?;
    let totals = add_up(options, &|seed| Outcome::of(&trial, seed));
    let found = |first| FoundViolation::new(&trial, first, options);
    Ok(CampaignReport::new((scenario.id(), scenario.catalogue()), options, totals, found))
}

/// Runs the seeds on some threads and adds up what becomes of each.
pub(crate) fn add_up(options: &CampaignOptions<'_>, run: &(dyn Fn(u64) -> Outcome + Sync)) -> Totals {
    let sums = Sums::new();
    std::thread::scope(|scope| {
        for _ in 0..options.threads.get() {
            scope.spawn(|| work(run, options, &sums));
        }
    });
    sums.merged.into_inner().unwrap_or_else(PoisonError::into_inner).totals
}

/// What the threads share.
struct Sums {
    next: AtomicU64,
    merged: Mutex<Merged>,
    caught_up: Condvar,
}

/// Totals of all chunks up to the first one that is still running, and the chunks that wait for it.
struct Merged {
    totals: Totals,
    chunks: u64,
    waiting: BTreeMap<u64, Vec<Outcome>>,
}

/// Takes chunks until none is left. A chunk that was begun is finished, so that what is done has no gap.
fn work(run: &(dyn Fn(u64) -> Outcome + Sync), options: &CampaignOptions<'_>, sums: &Sums) {
    while !options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
        let chunk = sums.next.fetch_add(1, Ordering::Relaxed);
        let begin = options.seeds.start.saturating_add(chunk.saturating_mul(CHUNK));
        if begin >= options.seeds.end {
            break;
        }
        let end = begin.saturating_add(CHUNK).min(options.seeds.end);
        let outcomes = (begin..end).map(run).collect();
        let done = sums.add(chunk, outcomes);
        (options.progress)(done);
    }
}

impl Sums {
    fn new() -> Self {
        Self { next: AtomicU64::new(0), merged: Mutex::new(Merged::new()), caught_up: Condvar::new() }
    }

    /// Adds a chunk and says how many seeds are done. A thread that is too far ahead waits for the others here;
    /// the one with the first chunk never does.
    fn add(&self, chunk: u64, outcomes: Vec<Outcome>) -> u64 {
        let mut merged = self.merged.lock().unwrap_or_else(PoisonError::into_inner);
        merged.add(chunk, outcomes);
        self.caught_up.notify_all();
        let ahead = |merged: &mut Merged| chunk >= merged.chunks + AHEAD_MAX;
        let merged = self.caught_up.wait_while(merged, ahead).unwrap_or_else(PoisonError::into_inner);
        merged.totals.seeds
    }
}

impl Merged {
    fn new() -> Self {
        Self { totals: Totals::new(), chunks: 0, waiting: BTreeMap::new() }
    }

    fn add(&mut self, chunk: u64, outcomes: Vec<Outcome>) {
        self.waiting.insert(chunk, outcomes);
        while let Some(outcomes) = self.waiting.remove(&self.chunks) {
            self.chunks += 1;
            outcomes.into_iter().for_each(|outcome| self.totals.add(outcome));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk_of_one(seed: u64) -> Vec<Outcome> {
        vec![Outcome { seed, run: Err("a panic".to_owned()) }]
    }

    /// Chunks that come early wait in memory, up to a number; the thread that brings one more waits as well,
    /// until the missing chunk is there.
    #[test]
    fn a_thread_too_far_ahead_waits() {
        let sums = Sums::new();
        let waiting = || sums.merged.lock().unwrap_or_else(PoisonError::into_inner).waiting.len() as u64;
        std::thread::scope(|scope| {
            let ahead = scope.spawn(|| {
                let early: Vec<u64> =
                    (1..AHEAD_MAX).map(|chunk| sums.add(chunk, chunk_of_one(chunk))).collect();
                (early, sums.add(AHEAD_MAX, chunk_of_one(AHEAD_MAX)))
            });
            while waiting() < AHEAD_MAX {
                std::thread::yield_now();
            }
            assert_eq!(sums.add(0, chunk_of_one(0)), AHEAD_MAX + 1);
            let (early, last) = ahead.join().expect("no panic");
            assert!(early.iter().all(|&done| done == 0), "nothing was done before the first chunk");
            assert_eq!(last, AHEAD_MAX + 1);
        });
        assert_eq!(waiting(), 0);
    }
}
