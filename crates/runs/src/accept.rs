//! From an accept request to an accepted run.

use crate::{
    Accepted, Coordinator, Effect, ErrorCode, Failure, Handle, OperationId, Phase, Record, RequestId,
    Response, Snapshot,
    effect::Context,
    failure::answered,
    operation::{Role, Stage},
    queue::{Step, Task},
    request::Order,
    rules::EarlyDeparture,
    turn::Turn,
};
use holdover_machine::Outcome;

impl Coordinator {
    /// A coordinator holds one run for ever.
    pub(crate) fn create(&mut self, turn: &mut Turn<'_>, request: RequestId, order: Order) {
        if self.record.is_some() {
            return self.refuse(turn, request, Failure::classified(ErrorCode::Conflict));
        }
        self.record = Some(Record {
            phase: Phase::Creating,
            run_id: order.run_id.clone(),
            actor: order.actor.clone(),
            handle: None,
            snapshot: Snapshot::new(order.run_id.clone()),
            revision: 0,
            accepted_until: None,
            pending: None,
        });
        self.step = Some(Step::Created { request, order });
        self.write(turn, |_| {});
    }

    pub(crate) fn created(
        &mut self,
        turn: &mut Turn<'_>,
        request: RequestId,
        order: Order,
        stored: Result<(), Failure>,
    ) {
        if let Err(failure) = stored {
            return self.refuse(turn, request, failure);
        }
        if self.clients.get(&request) == Some(&true) {
            let EarlyDeparture::IsUnrecorded = self.rules.early_departure;
            self.abort(turn);
        }
        let operation = self.operations.begin(Role::Preparation { request, cause: None }, Stage::Preparing);
        let Order { run_id, actor, input } = order;
        let context = Context { actor, now: turn.now };
        turn.want(Effect::Prepare { operation, run_id, request: input, context });
    }

    pub(crate) fn announced(&mut self, turn: &mut Turn<'_>, operation: OperationId, handle: Option<Handle>) {
        match self.operations.stage(operation) {
            Some(Stage::Preparing) => self.queue.push_back(Task::Announce { operation, handle }),
            // Nobody will look after what would be made under this handle.
            _ => {
                let refused = Err(Failure::classified(ErrorCode::Cancelled));
                turn.want(Effect::AnswerAnnouncement(operation, refused));
            }
        }
    }

    pub(crate) fn announce(&mut self, turn: &mut Turn<'_>, operation: OperationId, handle: Option<Handle>) {
        if self.record.is_none() || self.aborted {
            let refused = Err(Failure::classified(ErrorCode::Cancelled));
            return turn.want(Effect::AnswerAnnouncement(operation, refused));
        }
        self.step = Some(Step::Announced(operation));
        self.write(turn, |record| {
            let text = |member| handle.as_ref().and_then(|handle| handle.text(member));
            record.snapshot.conversation_id = text("conversationId");
            record.snapshot.turn_id = text("turnId");
            record.handle = handle;
        });
    }

    pub(crate) fn prepared(
        &mut self,
        turn: &mut Turn<'_>,
        operation: OperationId,
        outcome: Outcome<Accepted, Failure>,
    ) {
        if self.operations.stage(operation) != Some(&Stage::Preparing) {
            return;
        }
        match answered(outcome) {
            Err(failure) => self.preparation_failed(turn, operation, failure),
            Ok(accepted) => {
                self.prepared = Some(accepted);
                if self.aborted {
                    return self.abandon(turn, operation);
                }
                self.operations.enter(operation, Stage::Accepting);
                self.queue.push_back(Task::Accept(operation));
            }
        }
    }

    /// The alarm is armed before the record says that it is: a crash in between leaves an alarm that does nothing.
    pub(crate) fn accept(&mut self, turn: &mut Turn<'_>, operation: OperationId) {
        if self.aborted {
            return self.preparation_failed(turn, operation, Failure::classified(ErrorCode::Cancelled));
        }
        let text = |member| self.prepared.as_ref().and_then(|accepted| accepted.text(member));
        let (conversation_id, turn_id) = (text("conversationId"), text("turnId"));
        let until = turn.now + self.rules.accepted_for;
        self.step = Some(Step::Armed(operation));
        self.change(|record| {
            record.phase = Phase::Accepted;
            record.snapshot.conversation_id = conversation_id;
            record.snapshot.turn_id = turn_id;
            record.accepted_until = Some(until);
        });
        turn.want(Effect::SetAlarm(until));
    }

    pub(crate) fn armed(&mut self, turn: &mut Turn<'_>, operation: OperationId, stored: Result<(), Failure>) {
        if let Err(failure) = stored {
            return self.preparation_failed(turn, operation, failure);
        }
        self.step = Some(Step::Accepted(operation));
        self.write(turn, |_| {});
    }

    pub(crate) fn accepted(
        &mut self,
        turn: &mut Turn<'_>,
        operation: OperationId,
        stored: Result<(), Failure>,
    ) {
        match stored {
            Err(failure) => self.preparation_failed(turn, operation, failure),
            Ok(()) => self.settle(turn, operation, Ok(())),
        }
    }

    /// What was prepared is abandoned; otherwise the run ends as failed, also where a cancel is the reason (W-C7).
    pub(crate) fn preparation_failed(
        &mut self,
        turn: &mut Turn<'_>,
        operation: OperationId,
        failure: Failure,
    ) {
        self.operations.blame(operation, failure);
        if self.prepared.is_some() {
            self.abandon(turn, operation);
        } else {
            self.fail(turn, operation, failure);
        }
    }

    /// Answers the accepting request once its preparation is over.
    pub(crate) fn answer_accept(
        &mut self,
        turn: &mut Turn<'_>,
        request: RequestId,
        result: Result<(), Failure>,
    ) {
        let accepted = self.open_record().is_some_and(|record| record.phase == Phase::Accepted);
        match (result, &self.prepared) {
            (Ok(()), Some(body)) if accepted => {
                self.clients.remove(&request);
                turn.want(Effect::Respond(request, Response::accepted(body.body().clone())));
            }
            (result, _) => {
                let failure = result.err().unwrap_or(Failure::classified(ErrorCode::Cancelled));
                self.refuse(turn, request, failure);
            }
        }
    }
}
