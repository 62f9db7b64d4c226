use crate::Incarnation;
use holdover_machine::{Span, StoreTime};
use std::collections::{BTreeMap, BTreeSet};

/// What the last numbered claim of each worker process was given. An empty result is remembered too: a late
/// duplicate of a claim that found nothing must not be granted what nobody waits for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ClaimMemory {
    slots: BTreeMap<Incarnation, RememberedClaim>,
    by_use: BTreeSet<(StoreTime, Incarnation)>,
}

/// What is remembered of a numbered claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RememberedClaim {
    /// The number of the last claim.
    pub number: u64,
    /// The job and attempt that it was granted, the first of several.
    pub granted: Option<(u32, u32)>,
    /// What it was granted beside the first.
    pub more: Vec<(u32, u32)>,
    /// When it was made, or last found in use.
    pub used_at: StoreTime,
}

impl ClaimMemory {
    pub(super) fn get(&self, incarnation: Incarnation) -> Option<&RememberedClaim> {
        self.slots.get(&incarnation)
    }

    pub(super) fn set(&mut self, incarnation: Incarnation, claim: RememberedClaim) {
        let used_at = claim.used_at;
        if let Some(old) = self.slots.insert(incarnation, claim) {
            self.by_use.remove(&(old.used_at, incarnation));
        }
        self.by_use.insert((used_at, incarnation));
    }

    /// Forgets a few of the processes that have not claimed for longer than `remember` and hold nothing.
    pub(super) fn forget(&mut self, now: StoreTime, remember: Span, holds: impl Fn(Incarnation) -> bool) {
        for _ in 0..2 {
            let Some(&(used_at, incarnation)) = self.by_use.first() else { return };
            if used_at + remember >= now {
                return;
            }
            self.by_use.pop_first();
            if holds(incarnation) {
                // It is looked at again one memory later.
                self.by_use.insert((now, incarnation));
                if let Some(slot) = self.slots.get_mut(&incarnation) {
                    slot.used_at = now;
                }
            } else {
                self.slots.remove(&incarnation);
            }
        }
    }
}
