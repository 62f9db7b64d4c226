//! The subscription that starts the execution.

use crate::{
    Coordinator, Effect, ErrorCode, Failure, Identity, Phase, RequestId, Response,
    cancel::Waiter,
    failure::Reason,
    queue::{Step, Task},
    stream::Stream,
    turn::Turn,
};

impl Coordinator {
    pub(crate) fn subscribe(
        &mut self,
        turn: &mut Turn<'_>,
        request: RequestId,
        caller: &Identity,
        resume: bool,
    ) {
        if let Some(failure) = self.refusal(request, caller, resume) {
            return self.subscription_failed(turn, request, failure);
        }
        if self.open_record().is_none() {
            self.open_stream(turn, request);
            self.publish_end(turn);
            return self.close_stream(turn);
        }
        self.subscribed = true;
        self.operations.current = None;
        self.step = Some(Step::Running(request));
        self.write(turn, |record| {
            record.phase = Phase::Running;
            record.accepted_until = None;
        });
    }

    /// Why a subscription is refused. There is one, it cannot resume, and the one reason also stands for a run that is
    /// not accepted yet or being abandoned.
    fn refusal(&self, request: RequestId, caller: &Identity, resume: bool) -> Option<Failure> {
        let record = self.record.as_ref().filter(|_| self.owns(caller));
        let Some(record) = record else { return Some(Failure::classified(ErrorCode::NotFound)) };
        let taken = record.phase != Phase::Accepted || self.subscribed;
        if resume {
            Some(Failure::conflict(Reason::EventReplayUnavailable))
        } else if self.is_gone(request) {
            Some(Failure::classified(ErrorCode::Cancelled))
        } else if !record.phase.is_terminal() && taken {
            Some(Failure::conflict(Reason::SubscriberAlreadyActive))
        } else if !record.phase.is_terminal() && self.prepared.is_none() {
            Some(Failure::classified(ErrorCode::Conflict))
        } else {
            None
        }
    }

    pub(crate) fn running(&mut self, turn: &mut Turn<'_>, request: RequestId, stored: Result<(), Failure>) {
        if let Err(failure) = stored {
            return self.subscription_failed(turn, request, failure);
        }
        self.step = Some(Step::Disarmed(request));
        turn.want(Effect::DeleteAlarm);
    }

    pub(crate) fn disarmed(
        &mut self,
        turn: &mut Turn<'_>,
        request: RequestId,
        disarmed: Result<(), Failure>,
    ) {
        if let Err(failure) = disarmed {
            return self.subscription_failed(turn, request, failure);
        }
        let gone = self.is_gone(request);
        self.open_stream(turn, request);
        self.begin_execution(turn);
        if gone {
            self.departed(turn);
        }
    }

    /// A subscription that got as far as taking the run cancels it; a refused competitor never disturbs the one that
    /// is there.
    fn subscription_failed(&mut self, turn: &mut Turn<'_>, request: RequestId, failure: Failure) {
        let accepted = self.record.as_ref().is_some_and(|record| record.phase == Phase::Accepted);
        let broken = self.subscribed && self.operations.current.is_none();
        if broken || accepted && self.is_gone(request) {
            self.close_stream(turn);
            self.queue.push_back(Task::Cancel(Waiter::Refused { request, failure }));
        } else {
            self.refuse(turn, request, failure);
        }
    }

    fn open_stream(&mut self, turn: &mut Turn<'_>, request: RequestId) {
        self.clients.remove(&request);
        self.stream = Some(Stream::new(request));
        turn.want(Effect::OpenStream(request));
    }

    fn is_gone(&self, request: RequestId) -> bool {
        self.clients.get(&request) == Some(&true)
    }

    pub(crate) fn show_snapshot(&mut self, turn: &mut Turn<'_>, request: RequestId) {
        if let Some(record) = &self.record {
            turn.want(Effect::Respond(request, Response::snapshot(record.snapshot.clone())));
        }
    }
}
