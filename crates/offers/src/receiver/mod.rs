//! The receiver: turns at-least-once delivery into at most one start per offer.

mod arrival;
mod call;
mod current_lease;
mod launch;
mod message;
mod operation;
mod report;
mod step;

pub use call::{Activation, ActivationStatus, Call, Reply, Start};
pub use message::{DeliveryId, Effect, Input, Received};

use crate::{Config, Offer, OfferError, OfferId, Rules, Session};
use holdover_machine::{Machine, Timestamp};
use operation::{Advance, Operation, Surroundings};
use std::collections::BTreeMap;

/// The worker's inbox. It keeps nothing that a crash may not take: what counts is in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Receiver {
    config: Config,
    rules: Rules,
    session: Option<Box<Session>>,
    operations: BTreeMap<OfferId, Operation>,
}

impl Receiver {
    /// A receiver without a session and with nothing under way.
    pub fn new(config: Config, rules: Rules) -> Self {
        Self { config, rules, session: None, operations: BTreeMap::new() }
    }

    /// The delivery whose operation works on an offer now.
    pub fn leading(&self, offer_id: OfferId) -> Option<DeliveryId> {
        self.operations.get(&offer_id).map(|operation| operation.deliveries[0])
    }

    fn deliver(&mut self, delivery: DeliveryId, offer: Offer, effects: &mut Vec<Effect>) {
        if let Err(invalid) = offer.check() {
            return effects.push(Effect::Answer { delivery, result: Err(invalid.into()) });
        }
        let offer_id = offer.offer_id;
        match self.operations.get_mut(&offer_id) {
            Some(operation) => Self::share(operation, delivery, &offer, effects),
            None => {
                self.operations.insert(offer_id, Operation::new(delivery, offer));
                effects.push(Effect::Call { offer_id, call: Call::Read });
            }
        }
    }

    /// A delivery during an operation shares its outcome and contributes nothing, not even a newer lease.
    fn share(operation: &mut Operation, delivery: DeliveryId, offer: &Offer, effects: &mut Vec<Effect>) {
        if operation.offer.same_offer(offer) {
            operation.deliveries.push(delivery);
        } else {
            effects.push(Effect::Answer { delivery, result: Err(OfferError::Conflict) });
        }
    }

    fn reply(&mut self, now: Timestamp, offer_id: OfferId, reply: Reply, effects: &mut Vec<Effect>) {
        let Some(mut operation) = self.operations.remove(&offer_id) else { return };
        let around = Surroundings {
            config: &self.config,
            rules: &self.rules,
            session: self.session.as_deref(),
            offer: &operation.offer,
            clock: now,
        };
        let result = match step::advance(&around, operation.waiting, reply) {
            Ok(Advance::Done(received)) => Ok(received),
            Err(error) => Err(error),
            Ok(Advance::Wait(waiting, call)) => {
                operation.waiting = waiting;
                self.operations.insert(offer_id, operation);
                return effects.push(Effect::Call { offer_id, call });
            }
            Ok(Advance::Unexpected(waiting)) => {
                operation.waiting = waiting;
                self.operations.insert(offer_id, operation);
                return;
            }
        };
        let answer = |delivery| Effect::Answer { delivery, result: result.clone() };
        effects.extend(operation.deliveries.into_iter().map(answer));
    }
}

impl Machine for Receiver {
    type Input = Input;
    type Effect = Effect;

    fn handle(&mut self, now: Timestamp, input: Input, effects: &mut Vec<Effect>) {
        match input {
            Input::Session(session) => self.session = session,
            Input::Deliver { delivery, offer } => self.deliver(delivery, *offer, effects),
            Input::Reply { offer_id, reply } => self.reply(now, offer_id, reply, effects),
        }
    }
}
