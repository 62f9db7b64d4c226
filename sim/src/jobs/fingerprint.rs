//! A hash of everything that decides what can happen next, with times relative to now where the world can tell
//! them apart from history: two worlds that differ only in how late it is are the same.

use super::world::JobsWorld;
use holdover_jobs::worker::Until;
use rustc_hash::FxHasher;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};

/// Hashes what is printed into it, so that monitors need no `Hash` of their own.
struct Printed<'a>(&'a mut FxHasher);

impl Write for Printed<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.hash(self.0);
        Ok(())
    }
}

/// The world's fingerprint. What monitors remember is hashed as it stands.
pub(super) fn of(world: &JobsWorld) -> u64 {
    let mut hasher = FxHasher::default();
    hash_records(world, &mut hasher);
    hash_workers(world, &mut hasher);
    for service in world.services.iter().chain(&world.sweepers) {
        (service.down_since.is_some(), service.flights.keys().collect::<Vec<_>>()).hash(&mut hasher);
        (service.wall.read(world.now).ms() - world.now.ms()).hash(&mut hasher);
    }
    for message in &world.bag {
        (message.id, message.copy, (world.now - message.sent_at).ms()).hash(&mut hasher);
    }
    (&world.cuts, world.switch_open, &world.leaked, world.store_time().ms() - world.now.ms())
        .hash(&mut hasher);
    // A hasher takes all that is printed into it.
    let _ = write!(Printed(&mut hasher), "{:?}{:?}", world.monitors, world.violations);
    hasher.finish()
}

fn hash_records(world: &JobsWorld, hasher: &mut FxHasher) {
    let now = world.store_time();
    for record in world.table.records() {
        (record.number, record.status, record.attempts, record.charged, record.unstarted).hash(hasher);
        (record.cancel.is_some(), record.past.len(), &record.reason).hash(hasher);
        (record.next_attempt_at.map(|at| at - now), record.ready_at - now).hash(hasher);
        if let Some(lease) = &record.lease {
            (&lease.token, lease.incarnation, lease.expires_at - now, lease.deadline.map(|at| at - now))
                .hash(hasher);
        }
        world.table.events(record.id()).len().hash(hasher);
    }
}

fn hash_workers(world: &JobsWorld, hasher: &mut FxHasher) {
    for worker in &world.workers {
        let (wall, own) = (worker.wall.read(world.now), worker.own_time(world.now));
        (worker.is_up(), worker.paused, worker.life, worker.machine.claiming(), wall.ms() - world.now.ms())
            .hash(hasher);
        for hand in worker.machine.hands().iter().flatten() {
            let left = match hand.until {
                Until::Own(until) => until - own,
                Until::Wall(until) => until - wall,
            };
            (&hand.job, hand.attempt, hand.phase as u8, hand.cancel_requested, left).hash(hasher);
        }
    }
}
