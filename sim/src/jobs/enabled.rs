//! Every action that is possible now, for exploration and fuzzing: candidates, kept if a copy of the world
//! carries them out.

use super::action::{Action, Deed, Fate, Reading};
use super::node::Node;
use super::task::Twist;
use super::world::JobsWorld;
use holdover::{Applied, Observer};

/// Appends every action that is possible now.
pub(super) fn enabled(world: &JobsWorld, actions: &mut Vec<Action>) {
    let candidates = candidates(world);
    actions.extend(candidates.into_iter().filter(|action| {
        let mut copy = world.clone();
        copy.carry_out(world.step + 1, action, &mut Observer::new()) == Applied::Done
    }));
}

fn candidates(world: &JobsWorld) -> Vec<Action> {
    let config = &world.setup.config;
    let fate = Fate::Prompt;
    let mut list = vec![
        Action::Advance { ms: 1_000 },
        Action::Mend,
        Action::Switch { open: !world.switch_open },
        Action::Heal,
    ];
    list.push(Action::Crash { node: Node::Store });
    list.extend([-100, 100].map(|ms| Action::Step { node: Node::Store, ms }));
    for job in config.job_numbers() {
        list.extend(Twist::ALL.map(|twist| Action::Create { client: 0, service: 0, job, twist, fate }));
        list.push(Action::Cancel { client: 0, service: 0, job, fate });
        let readings = [Reading::Job, Reading::Stored, Reading::Events, Reading::Stats];
        list.extend(readings.map(|reading| Action::Read { client: 0, service: 0, job, reading, fate }));
        let deeds = [Deed::Start, Deed::Heartbeat, Deed::Complete, Deed::GiveUp];
        list.extend(deeds.map(|deed| Action::Intrude { service: 0, job, deed }));
    }
    for worker in 0..config.workers {
        list.extend([Action::Pause { worker }, Action::Resume { worker }]);
        for slot in 0..config.slots {
            list.push(Action::Claim { worker, slot, service: 0, fate });
            list.push(Action::Claim { worker, slot, service: 0, fate: Fate::Held(0) });
            for deed in DEEDS {
                for stalled in [false, true] {
                    list.push(Action::Work { worker, slot, service: 0, deed, stalled, fate });
                }
            }
        }
    }
    let workers = (0..config.workers).map(Node::Worker);
    let services = (0..config.services).map(Node::Service);
    let sweepers = (0..config.sweepers).map(Node::Sweeper);
    for node in workers.chain(services).chain(sweepers) {
        list.extend([Action::Crash { node }, Action::Restart { node }, Action::Freeze { node }]);
        list.extend([-1_000, 1_000].map(|ms| Action::Step { node, ms }));
    }
    for service in (0..config.services).map(Node::Service) {
        let peers = (0..config.workers).map(Node::Worker).chain([Node::Store]);
        let links = peers.flat_map(|peer| [(peer, service), (service, peer)]);
        list.extend(links.map(|(from, to)| Action::Cut { from, to }));
    }
    list.extend((0..config.sweepers).map(|sweeper| Action::Sweep { sweeper, limit: 10, fate }));
    for message in world.bag.iter().map(|message| message.id) {
        list.extend([Action::Deliver { message, fate }, Action::Drop { message }]);
    }
    list
}

const DEEDS: [Deed; 10] = [
    Deed::Start,
    Deed::Heartbeat,
    Deed::Progress,
    Deed::Lie,
    Deed::Touch,
    Deed::Complete,
    Deed::Fail { delay: 1_000 },
    Deed::GiveUp,
    Deed::Acknowledge,
    Deed::Resend,
];
