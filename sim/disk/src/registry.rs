//! The disks that are there, by the number in their paths: SQLite knows paths alone.

use crate::disk::Inside;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

struct Disks {
    last: u64,
    all: BTreeMap<u64, Weak<Mutex<Inside>>>,
}

static DISKS: Mutex<Disks> = Mutex::new(Disks { last: 0, all: BTreeMap::new() });

fn disks() -> MutexGuard<'static, Disks> {
    DISKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a disk in, and forgets those that are gone.
pub(crate) fn enter(inside: &Arc<Mutex<Inside>>) -> u64 {
    let mut disks = disks();
    disks.all.retain(|_, disk| disk.strong_count() > 0);
    disks.last += 1;
    let number = disks.last;
    disks.all.insert(number, Arc::downgrade(inside));
    number
}

pub(crate) fn find(number: u64) -> Option<Arc<Mutex<Inside>>> {
    disks().all.get(&number)?.upgrade()
}
