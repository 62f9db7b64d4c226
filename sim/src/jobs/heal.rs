//! The end of a run: all faults stop, and the system must come to rest by itself within its bounds.
//!
//! It is one action with a fixed schedule. First, where there are sweepers, nobody claims: every lease that no
//! living worker keeps must be taken away within the recovery bound. Then idle workers poll, and every job must
//! end within the completion bound.

use super::action::{Deed, Fate};
use super::apply::act;
use super::fact::Fact;
use super::node::Node;
use super::world::JobsWorld;
use holdover::{Mark, Observer, Recovery};
use holdover_jobs::worker::{Phase, WorkerEvent};
use holdover_jobs::{LeaseToken, Record, Status};
use holdover_machine::{Span, WorldTime};
use std::sync::Arc;

impl JobsWorld {
    pub(super) fn heal_all(&mut self, observer: &mut Observer) {
        self.stop_faults(observer);
        let start = self.now;
        let mut sweeps = self.first_sweeps();
        if !self.sweepers.is_empty() {
            self.finish_held(observer);
            let abandoned = self.table.records().any(|record| record.status.is_held());
            let bound = self.setup.config.promise.recovery_bound();
            let stuck = self.until(
                start + bound,
                &mut sweeps,
                false,
                |record: &Record| record.status.is_held(),
                observer,
            );
            let took = self.now - start;
            if abandoned {
                observer.recovered(Recovery { took_ms: took.ms(), bound_ms: bound.ms() });
            }
            self.show(&Fact::Recovered { took, bound, stuck: stuck.as_deref() }, observer);
        }
        let jobs = self.table.records().count();
        let bound = self.setup.config.promise.completion_bound(jobs);
        let open = |record: &Record| !record.status.is_final() && record.status != Status::Blocked;
        let stuck = self.until(start + bound, &mut sweeps, true, open, observer);
        let took = self.now - start;
        self.show(&Fact::Converged { took, bound, stuck: stuck.as_deref() }, observer);
    }

    fn stop_faults(&mut self, observer: &mut Observer) {
        self.tell(observer, Node::Operator, Mark::Plain, || "all faults stop".to_owned());
        self.cuts.clear();
        self.switch(true, observer);
        for place in self.services.iter_mut().chain(&mut self.sweepers) {
            place.down_since = None;
        }
        for place in &mut self.workers {
            place.down_since = None;
            place.paused = false;
        }
        self.store_clock.set(self.now, self.store_truth());
        while !self.bag.is_empty() {
            let message = self.bag.remove(0);
            self.arrive_late(message, Fate::Prompt, observer);
        }
        self.show(&Fact::Healing, observer);
    }

    /// When each sweeper sweeps next.
    fn first_sweeps(&self) -> Vec<WorldTime> {
        self.setup.config.sweep_phases.iter().map(|&ms| self.now + Span::from_ms(ms)).collect()
    }

    /// Runs the schedule until no job is open any more; answers one that still is when the time is over.
    fn until(
        &mut self,
        end: WorldTime,
        sweeps: &mut [WorldTime],
        polls: bool,
        open: impl Fn(&Record) -> bool,
        observer: &mut Observer,
    ) -> Option<Arc<Record>> {
        let poll = self.setup.config.promise.poll;
        loop {
            for worker in 0..self.setup.config.workers {
                self.work_on(worker, polls, observer);
            }
            let period = Span::from_ms(self.setup.config.sweep_every);
            for (index, due) in sweeps.iter_mut().enumerate() {
                if *due <= self.now {
                    *due = *due + period;
                    self.sweep(u8::try_from(index).unwrap_or(u8::MAX), 100, Fate::Prompt, observer);
                }
            }
            let waiting = self.table.records().find(|record| open(record)).cloned();
            if waiting.is_none() || self.now >= end {
                return waiting;
            }
            let next_sweep = sweeps.iter().min().copied().unwrap_or(end);
            let next = if polls { (self.now + poll).min(next_sweep) } else { next_sweep };
            let wait = next.min(end) - self.now;
            self.pass(wait.ms().max(1), observer);
        }
    }

    /// Living workers finish what they hold; what is held after that was abandoned.
    fn finish_held(&mut self, observer: &mut Observer) {
        for worker in 0..self.setup.config.workers {
            self.work_on(worker, false, observer);
        }
    }

    /// What a worker without faults does at once: finish what it holds, then ask for more.
    fn work_on(&mut self, worker: u8, polls: bool, observer: &mut Observer) {
        let services = usize::from(self.setup.config.services);
        self.target = Node::Service((usize::from(worker) % services) as u8);
        for slot in 0..usize::from(self.setup.config.slots) {
            // Granted, running, settling: at most three steps to an end, and one to ask again.
            for _ in 0..4 {
                let machine = &self.workers[usize::from(worker)].machine;
                let what = match &machine.hands()[slot] {
                    Some(hand) => {
                        let deed = match hand.phase {
                            Phase::Granted => Deed::Start,
                            Phase::Running if hand.cancel_requested => Deed::Acknowledge,
                            Phase::Running => Deed::Complete,
                            Phase::Settling => Deed::Resend,
                        };
                        WorkerEvent::Act { slot, act: act(deed, worker), stalled: false }
                    }
                    None if polls && machine.claiming().is_none_or(|claiming| claiming == slot) => {
                        let token = format!("lease-{}-{worker}-{slot}-{}", self.step, self.now.ms());
                        WorkerEvent::Claim {
                            slot,
                            token: LeaseToken::new(&token).expect("a safe identifier"),
                        }
                    }
                    None => break,
                };
                let asks = matches!(what, WorkerEvent::Claim { .. });
                self.worker_handles(worker, what, false, observer);
                self.run(Fate::Prompt, observer);
                let empty = self.workers[usize::from(worker)].machine.hands()[slot].is_none();
                if asks && empty {
                    break;
                }
            }
        }
    }
}
