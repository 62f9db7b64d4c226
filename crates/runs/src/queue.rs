//! The single queue: one state change at a time, the next begins when the one before has ended, failed or not.

use crate::{
    Coordinator, Effect, Event, Failure, Final, Handle, Identity, OperationId, Pending, Record, RequestId,
    WaitId,
    cancel::Waiter,
    failure::answered,
    request::Order,
    rules::{Memory, Revision},
    turn::Turn,
};
use holdover_machine::Outcome;

/// A state change that waits for its turn.
#[derive(Debug, Clone, Hash)]
pub(crate) enum Task {
    Create { request: RequestId, order: Order },
    Announce { operation: OperationId, handle: Option<Handle> },
    Accept(OperationId),
    Subscribe { request: RequestId, caller: Identity, resume: bool },
    Snapshot(RequestId),
    Decide { request: RequestId, call_id: String, allow: bool },
    Publish { event: Event, approval: Option<Pending> },
    Clear { wait: WaitId, approval: u64, allowed: bool },
    Cancel(Waiter),
    Finish { operation: OperationId, last: Final },
    Rearm(RequestId),
}

/// What goes on when storage has answered the change that is under way.
#[derive(Debug, Clone, Hash)]
pub(crate) enum Step {
    Created { request: RequestId, order: Order },
    Announced(OperationId),
    Armed(OperationId),
    Accepted(OperationId),
    Running(RequestId),
    Disarmed(RequestId),
    Decided { request: RequestId, allow: bool },
    Pending(Event),
    Cleared { wait: WaitId, allowed: bool },
    CancelRequested(Waiter),
    AbandonBegun(Waiter),
    Finished(OperationId),
    FinishDisarmed(OperationId),
    Rearmed(RequestId),
}

impl Coordinator {
    /// Begins what waits, until something waits for storage.
    pub(crate) fn pump(&mut self, turn: &mut Turn<'_>) {
        while self.step.is_none() {
            let Some(task) = self.queue.pop_front() else { return };
            self.begin(turn, task);
        }
    }

    fn begin(&mut self, turn: &mut Turn<'_>, task: Task) {
        match task {
            Task::Create { request, order } => self.create(turn, request, order),
            Task::Announce { operation, handle } => self.announce(turn, operation, handle),
            Task::Accept(operation) => self.accept(turn, operation),
            Task::Subscribe { request, caller, resume } => self.subscribe(turn, request, &caller, resume),
            Task::Snapshot(request) => self.show_snapshot(turn, request),
            Task::Decide { request, call_id, allow } => self.decide(turn, request, &call_id, allow),
            Task::Publish { event, approval } => self.publish_event(turn, event, approval),
            Task::Clear { wait, approval, allowed } => self.clear(turn, wait, approval, allowed),
            Task::Cancel(waiter) => self.cancel(turn, waiter),
            Task::Finish { operation, last } => self.finish(turn, operation, last),
            Task::Rearm(alarm) => self.rearm(turn, alarm),
        }
    }

    /// Storage answered. Without a change under way the answer is nobody's.
    pub(crate) fn stored(&mut self, turn: &mut Turn<'_>, outcome: Outcome<(), Failure>) {
        let Some(step) = self.step.take() else { return };
        let stored = answered(outcome);
        match step {
            Step::Created { request, order } => self.created(turn, request, order, stored),
            Step::Announced(operation) => turn.want(Effect::AnswerAnnouncement(operation, stored)),
            Step::Armed(operation) => self.armed(turn, operation, stored),
            Step::Accepted(operation) => self.accepted(turn, operation, stored),
            Step::Running(request) => self.running(turn, request, stored),
            Step::Disarmed(request) => self.disarmed(turn, request, stored),
            Step::Decided { request, allow } => self.decided(turn, request, allow, stored),
            Step::Pending(event) => self.pending_stored(turn, &event, stored),
            Step::Cleared { wait, allowed } => {
                turn.want(Effect::AnswerWait(wait, stored.map(|()| allowed)));
            }
            Step::CancelRequested(waiter) => self.cancel_requested(turn, waiter, stored),
            Step::AbandonBegun(waiter) => self.abandon_begun(turn, waiter, stored),
            Step::Finished(operation) => self.end_stored(turn, operation, stored),
            Step::FinishDisarmed(operation) => self.end_disarmed(turn, operation, stored),
            Step::Rearmed(alarm) => turn.want(Effect::AnswerAlarm(alarm, stored)),
        }
    }

    /// Changes the record in memory. Under [`Memory::First`] nothing takes a change back when its write fails.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Record)) {
        let Memory::First = self.rules.memory;
        if let Some(record) = &mut self.record {
            change(record);
        }
    }

    /// Changes the record and writes it.
    pub(crate) fn write(&mut self, turn: &mut Turn<'_>, change: impl FnOnce(&mut Record)) {
        self.change(change);
        if let Some(record) = &mut self.record {
            let Revision::CountsAttempts = self.rules.revision;
            record.revision += 1;
            turn.want(Effect::Put(Box::new(record.clone())));
        }
    }
}
