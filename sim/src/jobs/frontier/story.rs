//! The same short story in every form: a worker is granted a lease and starts, a clock errs, the lease is taken away
//! as early as it can be, and another worker starts while the first may still believe.

use super::kind::Kind;
use super::pose::{POSES, Pose};
use super::waits::{WAITS, waits};
use crate::jobs::{Action, Config, Deed, Fate, Node, Twist};
use holdover::Schedule;

/// How many stories there are of a kind.
pub(super) const STORIES: u64 = (POSES * WAITS * TAKERS * ENDINGS) as u64;

const TAKERS: usize = 5;
const ENDINGS: usize = 4;

/// The story of this number.
pub(super) fn story(kind: Kind, size: i64, number: u64, config: Config) -> Schedule<Config, Action> {
    let mut digits = Digits(number);
    let pose = digits.below(POSES);
    let wait = digits.below(WAITS);
    let (taker, ending) = (digits.below(TAKERS), digits.below(ENDINGS));
    let Pose { config, before, during, late } = Pose::new(kind, size, pose, config);
    let wait = waits(&config, size)[wait];
    let spent: i64 =
        during.iter().map(|action| if let Action::Advance { ms } = action { *ms } else { 0 }).sum();
    // What errs before the first use of a clock is remembered by nobody.
    let mut actions = before;
    actions.extend([create(1), claim(0, 0), work(0, 0, Deed::Start)]);
    match kind {
        Kind::Pause => paused(size, wait, taker, PAUSED_DEEDS[pose], &mut actions),
        _ => {
            actions.extend(during);
            actions.push(Action::Advance { ms: wait - spent });
            actions.extend(take(taker));
            actions.extend(late);
            actions.extend(take_up(taker));
        }
    }
    actions.extend(end(ending, &config));
    Schedule { config, actions }
}

/// What a worker may go on with after a pause, having looked at its clock before.
const PAUSED_DEEDS: [Deed; POSES] =
    [Deed::Touch, Deed::Complete, Deed::Heartbeat, Deed::Fail { delay: 0 }, Deed::Progress, Deed::GiveUp];

/// The first worker stands still for as long as it errs; its lease is taken away meanwhile, if it can be.
fn paused(size: i64, wait: i64, taker: usize, deed: Deed, actions: &mut Vec<Action>) {
    let wait = wait.clamp(0, size);
    actions.extend([Action::Pause { worker: 0 }, Action::Advance { ms: wait }]);
    actions.extend(take(taker));
    actions.extend(take_up(taker));
    actions.extend([Action::Advance { ms: size - wait }, Action::Resume { worker: 0 }, stalled(0, deed)]);
}

/// Takes the first worker's lease away, or renews it first.
fn take(taker: usize) -> Vec<Action> {
    match taker {
        0 | 1 => vec![sweep()],
        2 | 3 => vec![claim(1, (taker - 2) as u8)],
        _ => vec![work(0, 1, Deed::Heartbeat), Action::Advance { ms: 1 }, sweep()],
    }
}

/// The second worker takes the job up as soon as it can.
fn take_up(taker: usize) -> Vec<Action> {
    let service = (taker % 2) as u8;
    let attempt = [claim(1, service), work(1, service, Deed::Start)];
    let soon = [Action::Advance { ms: 1 }];
    [&attempt[..], &soon, &attempt, &soon, &attempt, &[work(1, service, Deed::Touch)]].concat()
}

fn end(ending: usize, config: &Config) -> Vec<Action> {
    let (touch, complete) = (Deed::Touch, Deed::Complete);
    match ending {
        0 => vec![Action::Advance { ms: config.promise.lease.times(2).ms() }],
        1 => vec![work(0, 0, touch), work(1, 1, touch), work(0, 0, touch), work(0, 0, complete)],
        2 => vec![work(0, 1, Deed::Heartbeat), work(0, 1, complete), work(1, 0, complete), sweep()],
        _ => [0, 1].map(|worker| Action::Crash { node: Node::Worker(worker) }).to_vec(),
    }
}

/// The digits of a number, each below a bound of its own.
struct Digits(u64);

impl Digits {
    fn below(&mut self, bound: usize) -> usize {
        let (rest, digit) = (self.0 / bound as u64, self.0 % bound as u64);
        self.0 = rest;
        digit as usize
    }
}

pub(super) fn create(job: u8) -> Action {
    Action::Create { client: 0, service: 0, job, twist: Twist::Plain, fate: Fate::Prompt }
}

pub(super) fn claim(worker: u8, service: u8) -> Action {
    Action::Claim { worker, slot: 0, service, fate: Fate::Prompt }
}

pub(super) fn work(worker: u8, service: u8, deed: Deed) -> Action {
    Action::Work { worker, slot: 0, service, deed, stalled: false, fate: Fate::Prompt }
}

pub(super) fn stalled(worker: u8, deed: Deed) -> Action {
    Action::Work { worker, slot: 0, service: 0, deed, stalled: true, fate: Fate::Prompt }
}

pub(super) fn sweep() -> Action {
    Action::Sweep { sweeper: 0, limit: 10, fate: Fate::Prompt }
}
