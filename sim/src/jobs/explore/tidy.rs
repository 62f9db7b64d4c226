//! What is over for good is forgotten, so that a world has finitely many states.

use crate::jobs::invariants::Past;
use crate::jobs::message::{Body, Message, Origin};
use crate::jobs::node::Node;
use crate::jobs::participants::WorkerNode;
use crate::jobs::world::JobsWorld;
use holdover_jobs::{Answered, Command, LeaseOperation, LeaseToken, ServiceRequest};

/// Takes away what can make no difference any more.
pub(super) fn tidy(world: &mut JobsWorld) {
    drop_unheard(world);
    drop_dead_flights(world);
    let judged_from = world.store_time() - world.setup.config.promise.store_step.times(2);
    let sent_from = world.bag.iter().filter_map(origin).map(|origin| origin.sent_at).min();
    let claims = live_claims(world);
    let attempts = live_attempts(world);
    let tokens: Vec<_> = spoken_for(&world.workers, &world.bag).collect();
    let Some(monitors) = &mut world.monitors else { return };
    monitors.forget(&Past {
        now: world.now,
        judged_from,
        sent_from: sent_from.unwrap_or(world.now),
        promise: &world.setup.config.promise,
        table: &world.table,
        claims: &claims,
        attempts: &attempts,
        tokens: &tokens,
    });
}

/// Nobody hears an answer to a run of a process that is over, to a claim that is, or about an attempt that its worker
/// has done with. Only the news that a result was kept counts even then.
fn drop_unheard(world: &mut JobsWorld) {
    let workers = &world.workers;
    let heard = |worker: &WorkerNode, origin: &Origin, answer: &Answered| match &*origin.request {
        ServiceRequest::Claim(claim) => {
            worker.machine.claim_under_way().is_some_and(|claiming| Some(claiming.number) == claim.number)
        }
        ServiceRequest::Lease(lease) => {
            let mut hands = worker.machine.hands().iter().flatten();
            hands.any(|hand| hand.job == lease.job && Some(hand.attempt) == lease.holder.attempt)
                || (answer.is_ok() && matches!(lease.operation, LeaseOperation::Complete { .. }))
        }
        _ => true,
    };
    world.bag.retain(|message| match (&message.body, message.to) {
        (Body::Answer { origin, answer }, Node::Worker(index)) => workers
            .get(usize::from(index))
            .is_some_and(|worker| worker.life == origin.life && heard(worker, origin, answer)),
        _ => true,
    });
}

/// The tokens of attempts that a worker or a message still speaks for.
pub(super) fn spoken_for<'a>(
    workers: &'a [WorkerNode],
    bag: &'a [Message],
) -> impl Iterator<Item = &'a LeaseToken> {
    let hands = workers.iter().flat_map(|worker| worker.machine.hands().iter().flatten());
    let in_bag = bag.iter().filter_map(|message| match &message.body {
        Body::Call { call, origin, .. } => match (&call.command, &*origin.request) {
            (Command::Recover(recover), _) => Some(&recover.token),
            (_, ServiceRequest::Lease(lease)) => Some(&lease.holder.token),
            _ => None,
        },
        _ => match &*origin(message)?.request {
            ServiceRequest::Lease(lease) => Some(&lease.holder.token),
            _ => None,
        },
    });
    hands.map(|hand| &hand.token).chain(in_bag)
}

/// A request whose call was lost waits for ever.
fn drop_dead_flights(world: &mut JobsWorld) {
    let bag = &world.bag;
    for (index, place) in (0..).zip(&mut world.services) {
        let node = Node::Service(index);
        place.flights.retain(|flight, _| {
            bag.iter().any(|message| match &message.body {
                Body::Call { flight: under_way, .. } => message.from == node && under_way == flight,
                Body::Reply { flight: under_way, .. } => message.to == node && under_way == flight,
                _ => false,
            })
        });
    }
}

/// The numbered claims that can still reach the store, or be repeated.
fn live_claims(world: &JobsWorld) -> Vec<(Node, u32, u64)> {
    let in_bag = world.bag.iter().filter_map(|message| {
        let origin = origin(message)?;
        match &*origin.request {
            ServiceRequest::Claim(claim) => Some((origin.from, origin.life, claim.number?)),
            _ => None,
        }
    });
    let under_way = world.workers.iter().filter_map(|worker| {
        let claiming = worker.machine.claim_under_way()?;
        Some((Node::Worker(worker.index), worker.life, claiming.number))
    });
    in_bag.chain(under_way).collect()
}

/// The attempts that a worker has in hand or that hold their job.
fn live_attempts(world: &JobsWorld) -> Vec<(u32, u32)> {
    let hands = world.workers.iter().flat_map(|worker| worker.machine.hands().iter().flatten());
    let in_hand = hands.filter_map(|hand| Some((world.table.record(&hand.job)?.number, hand.attempt)));
    let held = world.table.records().filter(|record| record.lease.is_some());
    in_hand.chain(held.map(|record| (record.number, record.attempts))).collect()
}

/// The request that a message belongs to.
pub(super) fn origin(message: &Message) -> Option<&Origin> {
    match &message.body {
        Body::Request(origin) | Body::Call { origin, .. } | Body::Answer { origin, .. } => Some(origin),
        Body::Reply { .. } | Body::Touch(_) => None,
    }
}
