//! What an instance does before it lets anything in: a run that an earlier one left open is ended.

use crate::{
    Coordinator, Effect, Failure, Input, OperationId, Phase, PublicError, Record, RunStatus, effect::Context,
    failure::answered, rules::Interrupted, turn::Turn,
};

/// How far an instance is with what it found.
#[derive(Debug, Clone, Hash)]
pub(crate) enum Boot {
    New,
    Loading,
    Recovering(OperationId),
    /// Writing the end of the interrupted run; with the failure of its recovery, if that failed.
    Recording(Option<Failure>),
    Disarming(Option<Failure>),
    Ready,
    /// Every request gets this failure.
    Unusable(Failure),
}

impl Boot {
    pub(crate) fn is_over(&self) -> bool {
        matches!(self, Self::Ready | Self::Unusable(_))
    }
}

impl Coordinator {
    pub(crate) fn booting(&mut self, turn: &mut Turn<'_>, input: Input) {
        match (&self.boot, input) {
            (Boot::New, Input::Start) => {
                self.boot = Boot::Loading;
                turn.want(Effect::Load);
            }
            (Boot::Loading, Input::Loaded(outcome)) => self.found(turn, answered(outcome)),
            (Boot::Recovering(current), Input::Recovered(operation, outcome)) if *current == operation => {
                let failure = answered(outcome).err().filter(|failure| !self.is_tolerable(failure));
                self.interrupt(turn, failure);
            }
            (Boot::Recording(failure), Input::Stored(outcome)) => match (answered(outcome), *failure) {
                (Err(failure), _) => self.boot = Boot::Unusable(failure),
                (Ok(()), failure) => {
                    self.boot = Boot::Disarming(failure);
                    turn.want(Effect::DeleteAlarm);
                }
            },
            (Boot::Disarming(failure), Input::Stored(outcome)) => {
                self.boot = match answered(outcome).err().or(*failure) {
                    Some(failure) => Boot::Unusable(failure),
                    None => Boot::Ready,
                };
            }
            _ => {}
        }
    }

    fn found(&mut self, turn: &mut Turn<'_>, read: Result<Option<Box<Record>>, Failure>) {
        match read {
            Err(failure) => self.boot = Boot::Unusable(failure),
            Ok(record) => {
                self.record = record.map(|record| *record);
                match self.open_record().map(|record| (record.handle.clone(), record.actor.clone())) {
                    None => self.boot = Boot::Ready,
                    Some((None, _)) => self.interrupt(turn, None),
                    Some((Some(handle), actor)) => {
                        let operation = self.operations.name();
                        self.boot = Boot::Recovering(operation);
                        let context = Context { actor, now: turn.now };
                        turn.want(Effect::Recover { operation, handle, context });
                    }
                }
            }
        }
    }

    /// Whether a failed recovery only says that there is nothing to recover: the handle of a run in creation is
    /// durable before anything is made under it.
    pub(crate) fn is_tolerable(&self, failure: &Failure) -> bool {
        let creating = self.record.as_ref().is_some_and(|record| record.phase == Phase::Creating);
        creating && failure.is_not_found()
    }

    fn interrupt(&mut self, turn: &mut Turn<'_>, failure: Option<Failure>) {
        let Interrupted::IsFailed = self.rules.interrupted;
        let error = PublicError::interrupted(&mut self.error_ids);
        self.boot = Boot::Recording(failure);
        self.write(turn, |record| {
            record.phase = Phase::Failed;
            record.snapshot.status = RunStatus::Failed;
            record.snapshot.error = Some(error);
            record.pending = None;
            record.accepted_until = None;
        });
    }
}
