//! The plain story of a take-over, told by the state of the world: a job is created, claimed, started; its lease
//! ends; another worker takes it over and starts. In a duel every other action tells this story on, and what lies
//! between is drawn as ever, so that whole stories come up with one thing wrong in them.

use super::action::{Action, Deed};
use super::node::Node;
use super::sample::Draw;
use super::task::Twist;
use holdover_jobs::worker::Phase;
use holdover_jobs::{Record, Status};
use holdover_machine::StoreTime;
use std::sync::Arc;

impl Draw<'_> {
    /// What comes next in the story.
    pub(super) fn take_over(&mut self) -> Option<Action> {
        if self.rng.chance(1, 5)
            && let Some(message) = self.waiting()
        {
            return Some(Action::Deliver { message, fate: self.fate() });
        }
        if let Some(node) = self.world.workers.iter().position(|worker| !worker.is_up())
            && self.rng.chance(1, 2)
        {
            return Some(Action::Restart { node: Node::Worker(node as u8) });
        }
        let open = |record: &&Arc<Record>| !record.status.is_final() && record.status != Status::Blocked;
        let now = self.world.store_time();
        match self.world.table.records().find(open).cloned() {
            None => Some(self.create(Twist::Plain)),
            Some(record) => self.story_of(&record, now),
        }
    }

    fn story_of(&mut self, record: &Record, now: StoreTime) -> Option<Action> {
        match (&record.lease, record.next_attempt_at) {
            (Some(lease), _) if lease.open_for_owner(now) => self.while_held((lease.expires_at - now).ms()),
            (Some(_), _) if self.rng.chance(1, 3) => {
                let sweeper = self.below(self.world.setup.config.sweepers);
                Some(Action::Sweep { sweeper, limit: 10, fate: self.fate() })
            }
            // Whoever held it may have looked at its clock before.
            (Some(_), _) if self.rng.chance(1, 3) => self.work(true),
            (None, Some(due)) if due > now => Some(Action::Advance { ms: (due - now).ms() }),
            _ => self.claim(),
        }
    }

    /// A held job is started, and then its worker falls silent until its lease is over.
    fn while_held(&mut self, left: i64) -> Option<Action> {
        let granted = self.held_in(Phase::Granted).filter(|_| self.rng.chance(3, 4));
        if let Some((worker, slot)) = granted {
            let (service, deed, fate) = (self.service(), Deed::Start, self.fate());
            return Some(Action::Work { worker, slot, service, deed, stalled: false, fate });
        }
        if self.rng.chance(1, 5) {
            return self.work(false);
        }
        let ms = if self.rng.chance(1, 2) { left } else { self.rng.between(1, left) };
        Some(Action::Advance { ms })
    }

    /// A slot with a job that has come this far.
    fn held_in(&mut self, phase: Phase) -> Option<(u8, u8)> {
        let (worker, slot) = self.holding()?;
        let place = self.world.workers.get(usize::from(worker))?;
        let hand = place.machine.hands().get(usize::from(slot))?.as_ref()?;
        (hand.phase == phase).then_some((worker, slot))
    }
}
