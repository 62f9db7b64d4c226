//! Cancelling, by whomever, and the alarm that cancels a run nobody subscribed to.

use crate::{
    Coordinator, Effect, Failure, Phase, RequestId, Response,
    queue::{Step, Task},
    restart::Boot,
    turn::Turn,
};

/// Who waits until a cancelled run has settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Waiter {
    /// A cancel request.
    Request(RequestId),
    /// A subscription that failed; it is answered with its own failure, unless the cancel fails too.
    Refused { request: RequestId, failure: Failure },
    /// The alarm.
    Alarm(RequestId),
    /// Nobody.
    Background,
}

impl Coordinator {
    pub(crate) fn cancel(&mut self, turn: &mut Turn<'_>, waiter: Waiter) {
        if self.open_record().is_none() {
            return self.wait_for_operation(turn, waiter);
        }
        self.abort(turn);
        self.step = Some(Step::CancelRequested(waiter));
        self.write(turn, |record| record.snapshot.cancel_requested = true);
    }

    /// Tells the runtime to stop; whoever waits for a decision is denied.
    pub(crate) fn abort(&mut self, turn: &mut Turn<'_>) {
        if !self.aborted {
            self.aborted = true;
            turn.want(Effect::Abort);
        }
        self.release_waits(false);
    }

    /// What nobody executes is abandoned here, since nothing else would end it.
    pub(crate) fn cancel_requested(
        &mut self,
        turn: &mut Turn<'_>,
        waiter: Waiter,
        stored: Result<(), Failure>,
    ) {
        if let Err(failure) = stored {
            return self.release(turn, waiter, Err(failure));
        }
        let accepted = self.record.as_ref().is_some_and(|record| record.phase == Phase::Accepted);
        let idle = accepted || self.operations.current.is_none();
        if !idle || self.prepared.is_none() {
            return self.wait_for_operation(turn, waiter);
        }
        self.step = Some(Step::AbandonBegun(waiter));
        self.write(turn, |record| {
            record.phase = Phase::Running;
            record.accepted_until = None;
        });
    }

    pub(crate) fn abandon_begun(&mut self, turn: &mut Turn<'_>, waiter: Waiter, stored: Result<(), Failure>) {
        if let Err(failure) = stored {
            return self.release(turn, waiter, Err(failure));
        }
        self.begin_abandoning(turn);
        self.wait_for_operation(turn, waiter);
    }

    pub(crate) fn release(&mut self, turn: &mut Turn<'_>, waiter: Waiter, result: Result<(), Failure>) {
        match (waiter, result) {
            (Waiter::Request(request), Ok(())) => turn.want(Effect::Respond(request, Response::done())),
            (Waiter::Refused { request, failure }, Ok(())) => self.refuse(turn, request, failure),
            (Waiter::Request(request) | Waiter::Refused { request, .. }, Err(failure)) => {
                self.refuse(turn, request, failure);
            }
            (Waiter::Alarm(alarm), result) => turn.want(Effect::AnswerAlarm(alarm, result)),
            (Waiter::Background, Err(failure)) => turn.want(Effect::ReportFailure(failure.code())),
            (Waiter::Background, Ok(())) => {}
        }
    }

    /// An alarm means something only to an accepted run: too early it is armed again, otherwise the run is cancelled.
    pub(crate) fn alarm(&mut self, turn: &mut Turn<'_>, alarm: RequestId) {
        if let Boot::Unusable(failure) = self.boot {
            return turn.want(Effect::AnswerAlarm(alarm, Err(failure)));
        }
        match self.deadline() {
            None => turn.want(Effect::AnswerAlarm(alarm, Ok(()))),
            Some(until) if turn.now >= until => self.queue.push_back(Task::Cancel(Waiter::Alarm(alarm))),
            Some(_) => self.queue.push_back(Task::Rearm(alarm)),
        }
    }

    pub(crate) fn rearm(&mut self, turn: &mut Turn<'_>, alarm: RequestId) {
        match self.deadline() {
            None => turn.want(Effect::AnswerAlarm(alarm, Ok(()))),
            Some(until) => {
                self.step = Some(Step::Rearmed(alarm));
                turn.want(Effect::SetAlarm(until));
            }
        }
    }

    fn deadline(&self) -> Option<holdover_machine::Timestamp> {
        let record = self.record.as_ref().filter(|record| record.phase == Phase::Accepted);
        record.and_then(|record| record.accepted_until)
    }
}
