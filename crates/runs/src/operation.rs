//! What the runtime is asked to do, and what follows from each answer: nothing here runs in the queue.

use crate::{
    Coordinator, Effect, Failure, Final, OperationId, RequestId, RunStatus, cancel::Waiter, effect::Context,
    failure::answered, queue::Task, rules::Unrecovered, turn::Turn,
};
use holdover_machine::Outcome;
use std::collections::BTreeMap;

/// The operations of an instance, which are few, and the one that a cancel waits for.
#[derive(Debug, Clone, Hash, Default)]
pub(crate) struct Operations {
    named: u64,
    all: BTreeMap<OperationId, Operation>,
    pub(crate) current: Option<OperationId>,
}

#[derive(Debug, Clone, Hash)]
struct Operation {
    role: Role,
    stage: Stage,
    waiters: Vec<Waiter>,
}

/// Why there is an operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// To answer an accept request. A failure that led to the abandoning of what was prepared is the answer.
    Preparation { request: RequestId, cause: Option<Failure> },
    /// To execute or abandon in the background.
    Run,
}

/// Which answer an operation waits for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// The runtime prepares.
    Preparing,
    /// The acceptance is in the queue.
    Accepting,
    /// The runtime executes or abandons.
    Carrying,
    /// Its result is in the queue.
    Finishing,
    /// It failed with this, and the runtime recovers.
    Recovering(Failure),
    /// Its failure is in the queue.
    Failing,
    /// Over.
    Settled(Result<(), Failure>),
}

impl Operations {
    pub(crate) fn name(&mut self) -> OperationId {
        self.named += 1;
        OperationId(self.named)
    }

    /// A new operation, which is the current one from now on.
    pub(crate) fn begin(&mut self, role: Role, stage: Stage) -> OperationId {
        let id = self.name();
        self.all.insert(id, Operation { role, stage, waiters: Vec::new() });
        self.current = Some(id);
        id
    }

    pub(crate) fn stage(&self, id: OperationId) -> Option<&Stage> {
        self.all.get(&id).map(|operation| &operation.stage)
    }

    pub(crate) fn enter(&mut self, id: OperationId, stage: Stage) {
        if let Some(operation) = self.all.get_mut(&id) {
            operation.stage = stage;
        }
    }

    /// Notes why a preparation is given up.
    pub(crate) fn blame(&mut self, id: OperationId, failure: Failure) {
        if let Some(Operation { role: Role::Preparation { cause, .. }, .. }) = self.all.get_mut(&id) {
            *cause = Some(failure);
        }
    }

    /// The accepting request whose preparation is not over.
    pub(crate) fn preparing(&self) -> Option<RequestId> {
        self.all.values().find_map(|operation| match (&operation.role, &operation.stage) {
            (_, Stage::Settled(_)) | (Role::Run, _) => None,
            (Role::Preparation { request, .. }, _) => Some(*request),
        })
    }

    fn role(&self, id: OperationId) -> Option<Role> {
        self.all.get(&id).map(|operation| operation.role.clone())
    }
}

impl Coordinator {
    /// Executes what was prepared.
    pub(crate) fn begin_execution(&mut self, turn: &mut Turn<'_>) {
        let operation = self.operations.begin(Role::Run, Stage::Carrying);
        turn.want(Effect::Execute(operation));
    }

    /// Abandons what was prepared, in the background.
    pub(crate) fn begin_abandoning(&mut self, turn: &mut Turn<'_>) {
        let operation = self.operations.begin(Role::Run, Stage::Carrying);
        turn.want(Effect::Abandon(operation));
    }

    /// Abandons what a preparation came to, as its last part.
    pub(crate) fn abandon(&mut self, turn: &mut Turn<'_>, operation: OperationId) {
        self.operations.enter(operation, Stage::Carrying);
        turn.want(Effect::Abandon(operation));
    }

    pub(crate) fn ended(
        &mut self,
        turn: &mut Turn<'_>,
        operation: OperationId,
        outcome: Outcome<Final, Failure>,
    ) {
        if self.operations.stage(operation) != Some(&Stage::Carrying) {
            return;
        }
        match answered(outcome) {
            Err(failure) => self.fail(turn, operation, failure),
            Ok(last) => {
                self.operations.enter(operation, Stage::Finishing);
                self.queue.push_back(Task::Finish { operation, last });
            }
        }
    }

    /// Ends the run as failed. What the runtime may have made durable is recovered first.
    pub(crate) fn fail(&mut self, turn: &mut Turn<'_>, operation: OperationId, failure: Failure) {
        let Some(record) = self.open_record() else { return self.over(turn, operation, Ok(())) };
        let Some(handle) = record.handle.clone() else { return self.finish_failed(operation, failure) };
        let context = Context { actor: record.actor.clone(), now: turn.now };
        self.operations.enter(operation, Stage::Recovering(failure));
        turn.want(Effect::Recover { operation, handle, context });
    }

    pub(crate) fn recovered(
        &mut self,
        turn: &mut Turn<'_>,
        operation: OperationId,
        outcome: Outcome<(), Failure>,
    ) {
        let Some(&Stage::Recovering(failure)) = self.operations.stage(operation) else { return };
        match answered(outcome) {
            Err(unrecovered) if !self.is_tolerable(&unrecovered) => match self.rules.unrecovered {
                Unrecovered::StaysRunning => self.over(turn, operation, Err(unrecovered)),
            },
            _ => self.finish_failed(operation, failure),
        }
    }

    fn finish_failed(&mut self, operation: OperationId, failure: Failure) {
        self.operations.enter(operation, Stage::Failing);
        let error = Some(failure.as_value());
        let last = Final { status: RunStatus::Failed, cancel_requested: false, error, exhausted: None };
        self.queue.push_back(Task::Finish { operation, last });
    }

    /// The end of the run was recorded for this operation, or could not be.
    pub(crate) fn finished(
        &mut self,
        turn: &mut Turn<'_>,
        operation: OperationId,
        result: Result<(), Failure>,
    ) {
        match (self.operations.stage(operation), result) {
            (Some(Stage::Finishing), Err(failure)) => self.fail(turn, operation, failure),
            (_, result) => self.over(turn, operation, result),
        }
    }

    /// The run was executed, abandoned or failed; a preparation still has an answer to give.
    fn over(&mut self, turn: &mut Turn<'_>, operation: OperationId, result: Result<(), Failure>) {
        match (self.operations.role(operation), result) {
            (Some(Role::Preparation { cause: None, .. }), Err(failure)) => {
                self.preparation_failed(turn, operation, failure);
            }
            (Some(Role::Preparation { cause: Some(cause), .. }), Ok(())) => {
                self.settle(turn, operation, Err(cause));
            }
            (_, result) => self.settle(turn, operation, result),
        }
    }

    pub(crate) fn settle(
        &mut self,
        turn: &mut Turn<'_>,
        operation: OperationId,
        result: Result<(), Failure>,
    ) {
        let Some(settled) = self.operations.all.get_mut(&operation) else { return };
        settled.stage = Stage::Settled(result);
        let waiters = std::mem::take(&mut settled.waiters);
        match (&settled.role, result) {
            (&Role::Preparation { request, .. }, result) => self.answer_accept(turn, request, result),
            (Role::Run, Err(failure)) => turn.want(Effect::ReportFailure(failure.code())),
            (Role::Run, Ok(())) => {}
        }
        for waiter in waiters {
            self.release(turn, waiter, result);
        }
    }

    /// Lets a cancel wait for the current operation, whose failure becomes its own.
    pub(crate) fn wait_for_operation(&mut self, turn: &mut Turn<'_>, waiter: Waiter) {
        let current = self.operations.current.and_then(|id| self.operations.all.get_mut(&id));
        match current {
            None => self.release(turn, waiter, Ok(())),
            Some(Operation { stage: Stage::Settled(result), .. }) => {
                let result = *result;
                self.release(turn, waiter, result);
            }
            Some(operation) => operation.waiters.push(waiter),
        }
    }
}
