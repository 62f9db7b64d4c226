use super::bytes::Bytes;
use super::outcome::Outcome;
use crate::jobs::action::{Action, Deed, Fate, MessageId, Reading};
use crate::jobs::node::Node;
use crate::jobs::task::Twist;
use crate::jobs::{Jobs, JobsWorld, Variant};
use holdover::{Applied, Observer, Scenario, Step, Violations, World};

/// The most actions of an input, so that no input is slow.
const ACTIONS_MAX: u32 = 160;

/// Actions on the world of a variant. The first bytes draw the world as a seed does, the rest are actions; what is
/// not possible is skipped. The lower half of worlds are healed in the end.
pub fn fuzz_world(variant: &Variant, bytes: &[u8]) -> Outcome {
    let (applied, violations) = broken_world(variant, bytes);
    Outcome::of(applied, &violations)
}

/// How many actions had an effect, and what they have broken.
pub(in crate::jobs) fn broken_world(variant: &Variant, bytes: &[u8]) -> (u32, Violations) {
    let mut bytes = Bytes::new(bytes);
    let seed = bytes.pair();
    let heals = bytes.byte() < 128;
    let mut world = Jobs.world(variant, &Jobs.plan(seed.into()).config);
    let mut observer = Observer::without_digest();
    let mut number = 1;
    for _ in 0..ACTIONS_MAX {
        let Some(kind) = bytes.next() else { break };
        let action = Draw { world: &world, bytes: &mut bytes }.action(kind);
        let done = world.apply(&Step { number, action }, &mut observer) == Applied::Done;
        number += u32::from(done);
        if !world.violations.is_empty() {
            break;
        }
    }
    if heals && world.violations.is_empty() {
        world.apply(&Step { number, action: Action::Heal }, &mut observer);
    }
    (number - 1, world.violations)
}

/// An action read from bytes, for a world as it is: places and messages are those that there are.
struct Draw<'a, 'b> {
    world: &'a JobsWorld,
    bytes: &'a mut Bytes<'b>,
}

impl Draw<'_, '_> {
    fn action(&mut self, kind: u8) -> Action {
        match kind % 64 {
            0..=7 => self.wait(),
            8..=14 => {
                let byte = self.bytes.byte();
                let twist = Twist::ALL.get(usize::from(byte % 16)).copied().unwrap_or(Twist::Plain);
                let (client, service, job) = self.asked();
                Action::Create { client, service, job, twist, fate: self.fate() }
            }
            15..=17 => {
                let (client, service, job) = self.asked();
                Action::Cancel { client, service, job, fate: self.fate() }
            }
            18 => {
                let (client, service, job) = self.asked();
                let reading =
                    self.bytes.pick([Reading::Job, Reading::Stored, Reading::Events, Reading::Stats]);
                Action::Read { client, service, job, reading, fate: self.fate() }
            }
            19..=25 => {
                let (worker, slot, service) = self.place();
                Action::Claim { worker, slot, service, fate: self.fate() }
            }
            26..=43 => {
                let (worker, slot, service) = self.place();
                let (deed, stalled) = (self.deed(), self.bytes.below(4) == 3);
                Action::Work { worker, slot, service, deed, stalled, fate: self.fate() }
            }
            44 => {
                let (_, service, job) = self.asked();
                let deed = self.bytes.pick([Deed::Start, Deed::Heartbeat, Deed::Complete, Deed::GiveUp]);
                Action::Intrude { service, job, deed }
            }
            45..=47 => {
                let sweeper = self.bytes.below(self.world.setup.config.sweepers);
                Action::Sweep { sweeper, limit: self.bytes.pick([1, 10]), fate: self.fate() }
            }
            48..=53 => Action::Deliver { message: self.message(), fate: self.fate() },
            54 => Action::Drop { message: self.message() },
            _ => self.trouble(kind % 64),
        }
    }

    /// A fault that is no fate.
    fn trouble(&mut self, kind: u8) -> Action {
        let config = &self.world.setup.config;
        match kind {
            55 => Action::Crash { node: self.node() },
            56 | 57 => Action::Restart { node: self.node() },
            58 => Action::Pause { worker: self.bytes.below(config.workers) },
            59 => Action::Resume { worker: self.bytes.below(config.workers) },
            60 => {
                let ms = self.bytes.pick([-8_000, -1_000, -100, 100, 1_000, 8_000]);
                Action::Step { node: self.node(), ms }
            }
            61 => Action::Freeze { node: self.node() },
            62 => self.cut(),
            _ => Action::Switch { open: !self.world.switch_open },
        }
    }

    fn wait(&mut self) -> Action {
        let byte = self.bytes.byte();
        let round = [1, 100, 1_000, 2_500, 4_800, 5_000, 6_000, 9_000][usize::from(byte % 8)];
        if byte < 128 {
            return Action::Advance { ms: round };
        }
        let store = self.world.store_time();
        let edges = self.world.table.records().filter_map(|record| {
            let end = record.lease.as_ref().map(|lease| lease.expires_at).or(record.next_attempt_at)?;
            Some((end - store).ms()).filter(|ms| (1..=60_000).contains(ms))
        });
        let near = [-50, -1, 0, 1][usize::from(byte % 4)];
        Action::Advance { ms: edges.min().map_or(round, |edge| (edge + near).max(1)) }
    }

    /// Who asks which service about which job.
    fn asked(&mut self) -> (u8, u8, u8) {
        let (config, byte) = (&self.world.setup.config, self.bytes.byte());
        let job = config.first_job + (byte >> 2).checked_rem(config.jobs).unwrap_or(0);
        (byte & 1, byte >> 1 & 1, job)
    }

    /// Which worker, with which of its slots, talks to which service.
    fn place(&mut self) -> (u8, u8, u8) {
        let (config, byte) = (&self.world.setup.config, self.bytes.byte());
        let worker = (byte >> 2).checked_rem(config.workers).unwrap_or(0);
        (worker, (byte & 1) % config.slots, byte >> 1 & 1)
    }

    fn fate(&mut self) -> Fate {
        let byte = self.bytes.byte();
        let place = u16::from(byte >> 4) % 6;
        match byte % 16 {
            0..=8 => Fate::Prompt,
            9 | 10 => Fate::Held(place),
            11 => Fate::Lost(place),
            12 => Fate::Twice(place),
            13 => Fate::Aborted(place),
            14 => Fate::Vanished(place),
            _ => [Fate::Unconfirmed(place), Fate::Stale(place)][usize::from(byte >> 7)],
        }
    }

    fn deed(&mut self) -> Deed {
        match self.bytes.below(16) {
            0..=3 => Deed::Start,
            4..=5 => Deed::Heartbeat,
            6 => Deed::Progress,
            7 => Deed::Lie,
            8..=9 => Deed::Touch,
            10..=11 => Deed::Complete,
            12 => Deed::Fail { delay: self.bytes.pick([0, 1_000, 3_000, 3_600_000]) },
            13 => Deed::GiveUp,
            14 => Deed::Acknowledge,
            _ => Deed::Resend,
        }
    }

    fn message(&mut self) -> MessageId {
        let (bag, byte) = (&self.world.bag, usize::from(self.bytes.byte()));
        let place = byte.checked_rem(bag.len());
        place.and_then(|place| bag.get(place)).map_or(MessageId(0, 0), |message| message.id)
    }

    fn node(&mut self) -> Node {
        let index = self.bytes.byte() >> 2;
        match self.bytes.below(8) {
            0..=3 => Node::Worker(index % 3),
            4..=5 => Node::Service(index % 2),
            6 => Node::Sweeper(index % 2),
            _ => Node::Store,
        }
    }

    /// A link to or from a service; or all links work again, as a world that is cut for good does little.
    fn cut(&mut self) -> Action {
        let byte = self.bytes.byte();
        let (worker, service) = (Node::Worker((byte >> 4) % 3), Node::Service(byte >> 3 & 1));
        match byte % 8 {
            0 => Action::Cut { from: worker, to: service },
            1 => Action::Cut { from: service, to: worker },
            2 => Action::Cut { from: service, to: Node::Store },
            3 => Action::Cut { from: Node::Store, to: service },
            _ => Action::Mend,
        }
    }
}
