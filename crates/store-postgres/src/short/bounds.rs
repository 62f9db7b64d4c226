//! Where the queue of each executor begins. Jobs that were handed out leave entries in the index, and while somebody
//! keeps an old snapshot, no vacuum removes them: each claim would walk over all of them. So a claim begins at the
//! time of the last job that this process was granted.
//!
//! A job may become ready with an older time than that: by this process, which then lowers the bound; by another one,
//! or by a commit that took its time. The bound therefore stays a second behind now, claims begin at the beginning once
//! a second, and none says "nothing" before it was asked without a bound.

use holdover_jobs::{Grant, Record, Status, Text};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How far a bound stays behind now, and how often there is none, in milliseconds.
const SLACK_MS: i64 = 1_000;

/// The bounds of a process.
#[derive(Debug, Default)]
pub(crate) struct Bounds(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    first: BTreeMap<Text, i64>,
    now: i64,
    asked_without: i64,
}

impl Bounds {
    /// From when on to look for jobs of each of these executors.
    pub(crate) fn of(&self, executors: &[Text]) -> Vec<i64> {
        let mut state = self.state();
        let due = state.now.saturating_sub(state.asked_without) >= SLACK_MS;
        if due {
            state.asked_without = state.now;
        }
        let bound = |executor| state.first.get(executor).copied().filter(|_| !due).unwrap_or(i64::MIN);
        executors.iter().map(bound).collect()
    }

    /// Jobs were granted, in the order of the queue, and no job before them is ready.
    pub(crate) fn granted(&self, grants: &[Grant]) {
        let mut state = self.state();
        for Grant { record, now, .. } in grants {
            state.now = now.ms();
            let bound = record.ready_at.ms().min(now.ms().saturating_sub(SLACK_MS));
            match state.first.get_mut(&record.spec.executor) {
                Some(first) => *first = bound,
                None => {
                    state.first.insert(record.spec.executor.clone(), bound);
                }
            }
        }
    }

    /// A job was written; it may be ready.
    pub(crate) fn written(&self, record: &Record) {
        if !matches!(record.status, Status::Queued | Status::Retryable) {
            return;
        }
        if let Some(first) = self.state().first.get_mut(&record.spec.executor) {
            *first = (*first).min(record.ready_at.ms());
        }
    }

    /// Nothing was found from the bounds on.
    pub(crate) fn forget(&self, executors: &[Text]) {
        let mut state = self.state();
        for executor in executors {
            state.first.remove(executor);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
