//! What may happen next within a scope: the same actions that random runs draw, and only where they can make a
//! difference. Operations are split where they touch the store: a call is held up on its way there, or the answer on
//! its way back.

use super::scope::{CLOCK_STEP_MS, TICK_MS};
use crate::jobs::action::{Action, Deed, Fate};
use crate::jobs::message::{Body, Message};
use crate::jobs::node::Node;
use crate::jobs::participants::WorkerNode;
use crate::jobs::task::Twist;
use crate::jobs::world::JobsWorld;
use holdover::Scope;
use holdover_jobs::worker::{Hand, Phase};

// Which of its messages is the store call that decides, and which the answer. A claim announces the worker first, a
// cancel loads the job, and a sweep lists what is over.
const CLAIM: (u16, u16) = (3, 5);
const WORK: (u16, u16) = (1, 3);
const CANCEL_CALL: u16 = 3;
const RECOVER_CALL: u16 = 2;
/// The answer to a call that has waited.
const LATE_ANSWER: u16 = 1;

/// Appends what may happen next.
pub(super) fn append(world: &JobsWorld, scope: &Scope, actions: &mut Vec<Action>) {
    let mut menu = Menu {
        room: world.bag.len() < usize::from(scope.in_flight),
        doubles: world.spent.doubled < scope.dups,
        crashes: crashes(world) < u32::from(scope.crashes),
        world,
        actions,
    };
    menu.clients();
    menu.sweeper();
    for worker in &world.workers {
        menu.worker(worker);
    }
    for message in &world.bag {
        menu.deliver(message);
    }
    menu.clocks(scope);
    actions.push(Action::Advance { ms: TICK_MS });
}

fn crashes(world: &JobsWorld) -> u32 {
    world.workers.iter().map(|worker| worker.life - 1).sum()
}

struct Menu<'a> {
    world: &'a JobsWorld,
    /// Whether one more message may be held up.
    room: bool,
    doubles: bool,
    crashes: bool,
    actions: &'a mut Vec<Action>,
}

impl Menu<'_> {
    /// The next job is created; one that is open is cancelled.
    fn clients(&mut self) {
        let known = self.world.table.records().count() as u8;
        let numbers = self.world.setup.config.job_numbers();
        if let Some(job) = numbers.clone().nth(known.into()) {
            let (twist, fate) = (Twist::Plain, Fate::Prompt);
            self.actions.push(Action::Create { client: 0, service: 0, job, twist, fate });
        }
        for (job, record) in numbers.zip(self.world.table.records()) {
            if !record.status.is_final() && record.cancel.is_none() {
                let cancel = |fate| Action::Cancel { client: 0, service: 0, job, fate };
                self.actions.push(cancel(Fate::Prompt));
                self.actions.extend(self.room.then(|| cancel(Fate::Held(CANCEL_CALL))));
            }
        }
    }

    fn sweeper(&mut self) {
        if self.world.table.records().any(|record| record.lease.is_some()) {
            let sweep = |fate| Action::Sweep { sweeper: 0, limit: 1, fate };
            self.actions.push(sweep(Fate::Prompt));
            self.actions.extend(self.room.then(|| sweep(Fate::Held(RECOVER_CALL))));
        }
    }

    fn worker(&mut self, place: &WorkerNode) {
        let worker = place.index;
        if !place.is_up() {
            self.actions.push(Action::Restart { node: Node::Worker(worker) });
            return;
        }
        match &place.machine.hands()[0] {
            None => self.fates(CLAIM, |fate| Action::Claim { worker, slot: 0, service: 0, fate }),
            Some(hand) => self.hand(place, hand),
        }
        if self.crashes {
            self.actions.push(Action::Crash { node: Node::Worker(worker) });
        }
    }

    /// A worker does something with its job. One whose time is over stops, unless it was stalled after it looked.
    fn hand(&mut self, place: &WorkerNode, hand: &Hand) {
        let worker = place.index;
        let late = !hand.believes(place.wall.read(self.world.now), place.own_time(self.world.now));
        let work = |deed, stalled, fate| Action::Work { worker, slot: 0, service: 0, deed, stalled, fate };
        if late {
            let any = if hand.phase == Phase::Settling { Deed::Resend } else { Deed::Heartbeat };
            self.actions.push(work(any, false, Fate::Prompt));
        }
        for &deed in deeds(hand) {
            match deed {
                Deed::Acknowledge if !hand.cancel_requested => {}
                Deed::Touch => {
                    self.actions.push(work(deed, late, Fate::Prompt));
                    self.actions.extend(self.room.then(|| work(deed, late, Fate::Held(0))));
                }
                _ => self.fates(WORK, |fate| work(deed, late, fate)),
            }
        }
    }

    /// An operation, and what may befall it.
    fn fates(&mut self, (call, answer): (u16, u16), action: impl Fn(Fate) -> Action) {
        self.actions.push(action(Fate::Prompt));
        if self.room {
            self.actions.extend([call, answer].map(|at| action(Fate::Held(at))));
            self.actions.extend(self.doubles.then(|| action(Fate::Twice(call))));
        }
    }

    fn deliver(&mut self, message: &Message) {
        let deliver = |fate| Action::Deliver { message: message.id, fate };
        self.actions.push(deliver(Fate::Prompt));
        if matches!(message.body, Body::Call { .. })
            && matches!(message_asker(message), Some(Node::Worker(_)))
        {
            self.actions.push(deliver(Fate::Held(LATE_ANSWER)));
        }
    }

    fn clocks(&mut self, scope: &Scope) {
        if self.world.spent.stepped < scope.clock_steps {
            for node in [Node::Store, Node::Service(0)] {
                self.actions.extend([-CLOCK_STEP_MS, CLOCK_STEP_MS].map(|ms| Action::Step { node, ms }));
            }
        }
    }
}

fn message_asker(message: &Message) -> Option<Node> {
    match &message.body {
        Body::Call { origin, .. } => Some(origin.from),
        _ => None,
    }
}

/// What a worker can do with a job, by how far its work is.
fn deeds(hand: &Hand) -> &'static [Deed] {
    match hand.phase {
        Phase::Granted => &[Deed::Start, Deed::Fail { delay: 0 }],
        Phase::Running => {
            &[Deed::Heartbeat, Deed::Touch, Deed::Complete, Deed::Fail { delay: 0 }, Deed::Acknowledge]
        }
        Phase::Settling => &[Deed::Resend],
    }
}
