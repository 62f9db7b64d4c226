mod message;
mod operation;

pub use message::{
    Cleanup, Completion, CompletionCommand, ReceiptRemoval, Recovery, RecoveryCall, RecoveryEffect,
    RecoveryInput, RecoveryReply, RecoveryStatus, RequestId,
};

use crate::{OfferId, Rules, Session};
use holdover_machine::{Machine, Span, Timestamp};
use operation::{Advance, Operation, Surroundings};
use std::collections::BTreeMap;

/// Acts on what the reconciler finds, where acting is certainly right: tells an authentic completion, or that a
/// process runs. Everything else is deferred.
///
/// One operation per offer at a time; a request during an operation shares its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RecoveryCoordinator {
    rules: Rules,
    grace: Span,
    session: Option<Box<Session>>,
    operations: BTreeMap<OfferId, (Vec<RequestId>, Operation)>,
}

impl RecoveryCoordinator {
    /// A coordinator without a session; `grace` is how long the reconciler waits for a late receipt.
    pub fn new(rules: Rules, grace: Span) -> Self {
        Self { rules, grace, session: None, operations: BTreeMap::new() }
    }

    fn recover(&mut self, request: RequestId, offer_id: OfferId, effects: &mut Vec<RecoveryEffect>) {
        if let Some((requests, _)) = self.operations.get_mut(&offer_id) {
            return requests.push(request);
        }
        self.operations.insert(offer_id, (vec![request], Operation::new(self.grace)));
        effects.push(RecoveryEffect::Call { offer_id, call: RecoveryCall::Read });
    }

    fn reply(
        &mut self,
        now: Timestamp,
        offer_id: OfferId,
        reply: RecoveryReply,
        effects: &mut Vec<RecoveryEffect>,
    ) {
        let Some((requests, mut operation)) = self.operations.remove(&offer_id) else { return };
        let around = Surroundings { rules: &self.rules, session: self.session.as_deref(), clock: now };
        let result = match operation.advance(&around, reply) {
            Ok(Advance::Done(recovery)) => Ok(*recovery),
            Err(error) => Err(error),
            Ok(Advance::Wait(call)) => {
                self.operations.insert(offer_id, (requests, operation));
                return effects.push(RecoveryEffect::Call { offer_id, call });
            }
            Ok(Advance::Unexpected) => {
                self.operations.insert(offer_id, (requests, operation));
                return;
            }
        };
        let answer = |request| RecoveryEffect::Answer { request, offer_id, result: result.clone() };
        effects.extend(requests.into_iter().map(answer));
    }
}

impl Machine for RecoveryCoordinator {
    type Input = RecoveryInput;
    type Effect = RecoveryEffect;

    fn handle(&mut self, now: Timestamp, input: RecoveryInput, effects: &mut Vec<RecoveryEffect>) {
        match input {
            RecoveryInput::Session(session) => self.session = session,
            RecoveryInput::Recover { request, offer_id } => self.recover(request, offer_id, effects),
            RecoveryInput::Reply { offer_id, reply } => self.reply(now, offer_id, reply, effects),
        }
    }
}
