//! Random schedules among the ends of leases: few jobs, two workers, and every wait aimed.

use super::kind::Kind;
use super::pose::{POSES, Pose};
use super::story::{claim, create, stalled, sweep, work};
use super::waits::{WAITS, waits};
use crate::jobs::{Action, Config, Deed, Fate, MessageId, Node};
use holdover::{Rng, Schedule};

/// A schedule drawn from a seed. What is drawn does not depend on the size, so that a seed tells the same story at
/// every size. Without other faults, messages are prompt and nobody dies.
pub(super) fn walk(
    kind: Kind,
    size: i64,
    seed: u64,
    faults: bool,
    config: Config,
) -> Schedule<Config, Action> {
    let mut rng = Rng::from_seed(seed);
    let pose = Pose::new(kind, size, rng.below(POSES as u32) as usize, config);
    let waits = waits(&pose.config, size);
    let moves = [pose.before, pose.during, pose.late];
    let mut walk = Walk { kind, size, waits, faults, rng, moves, held: Vec::new(), actions: Vec::new() };
    if kind == Kind::Offset {
        walk.actions.append(&mut walk.moves[0]);
    }
    // One of them has the shorter time-out, and either is first.
    let first = 1 + (seed / 2 % 2) as u8;
    walk.actions.extend([create(first), create(3 - first)]);
    for _ in 0..12 + walk.rng.below(24) {
        walk.step();
    }
    Schedule { config: pose.config, actions: walk.actions }
}

struct Walk {
    kind: Kind,
    size: i64,
    waits: [i64; WAITS],
    faults: bool,
    rng: Rng,
    /// What is left of the error's moves.
    moves: [Vec<Action>; 3],
    held: Vec<MessageId>,
    actions: Vec<Action>,
}

impl Walk {
    fn step(&mut self) {
        let (worker, service) = (self.rng.below(2) as u8, self.rng.below(2) as u8);
        match self.rng.below(24) {
            0..=5 => self.wait(),
            6..=9 => self.operate(claim(worker, service)),
            10..=12 => self.operate(work(worker, service, Deed::Start)),
            13..=14 => self.operate(work(worker, service, Deed::Heartbeat)),
            15 => self.operate(work(worker, service, Deed::Touch)),
            16 => self.operate(work(worker, service, Deed::Fail { delay: 0 })),
            17 => self.operate(work(worker, service, Deed::Complete)),
            18 => self.operate(sweep()),
            19 => self.actions.push(create(1 + self.rng.below(2) as u8)),
            20..=21 => self.err(worker),
            _ => self.fault(worker),
        }
    }

    fn wait(&mut self) {
        let wait = self.waits[self.rng.below(WAITS as u32) as usize];
        let part = if self.rng.chance(1, 3) { wait / 2 } else { wait };
        self.actions.push(Action::Advance { ms: part + self.rng.between(-1, 1) });
    }

    /// An operation, now and then with a message of it held, lost or doubled.
    fn operate(&mut self, mut action: Action) {
        let (drawn, place) = (self.rng.below(18), self.rng.below(4) as u16);
        if self.faults
            && let Some(fate) = action.fate_mut()
        {
            *fate = match drawn {
                0 | 1 => Fate::Held(place),
                2 => Fate::Lost(place),
                3 => Fate::Twice(place),
                _ => Fate::Prompt,
            };
            if matches!(fate, Fate::Held(_) | Fate::Twice(_)) {
                self.held.push(MessageId(self.actions.len() as u32 + 1, place));
            }
        }
        self.actions.push(action);
    }

    /// The next move of the error.
    fn err(&mut self, worker: u8) {
        if self.kind == Kind::Pause {
            return self.pause(worker);
        }
        if let Some(moves) = self.moves.iter_mut().find(|moves| !moves.is_empty()) {
            self.actions.append(moves);
        }
    }

    /// A worker stands still for as long as it errs, and acts on what it saw before. Others go on meanwhile.
    fn pause(&mut self, worker: u8) {
        let deeds = [Deed::Touch, Deed::Heartbeat, Deed::Start];
        let deed = deeds[self.rng.below(3) as usize];
        let wait = self.waits[self.rng.below(WAITS as u32) as usize].clamp(0, self.size);
        let other = 1 - worker;
        self.actions.extend([Action::Pause { worker }, Action::Advance { ms: wait }, sweep()]);
        let soon = (self.size - wait).min(1);
        self.actions.extend([Action::Advance { ms: soon }, claim(other, 1), work(other, 1, Deed::Start)]);
        let rest = self.size - wait - soon;
        self.actions.extend([Action::Advance { ms: rest }, Action::Resume { worker }, stalled(worker, deed)]);
    }

    /// A message that was held arrives, or a worker dies and comes back.
    fn fault(&mut self, worker: u8) {
        let node = Node::Worker(worker);
        match self.rng.below(4) {
            _ if !self.faults => {}
            0 => self.actions.push(Action::Crash { node }),
            1 => self.actions.push(Action::Restart { node }),
            _ => {
                if let Some(message) = self.held.pop() {
                    self.actions.push(Action::Deliver { message, fate: Fate::Prompt });
                }
            }
        }
    }
}
