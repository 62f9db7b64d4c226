//! The end of a run: recorded first, then seen.

use crate::{
    Coordinator, Effect, ErrorCode, Failure, Final, OperationId, PublicError, Snapshot, event::End,
    queue::Step, rules, turn::Turn,
};

impl Coordinator {
    /// The snapshot is rebuilt: nothing private of the runtime's result gets into the record.
    pub(crate) fn finish(&mut self, turn: &mut Turn<'_>, operation: OperationId, last: Final) {
        if self.open_record().is_none() {
            return self.finished(turn, operation, Ok(()));
        }
        let Some(phase) = last.status.terminal_phase() else {
            return self.finished(turn, operation, Err(Failure::classified(ErrorCode::Conflict)));
        };
        let error = last.error.map(|failure| PublicError::of(failure.as_value(), &mut self.error_ids));
        self.step = Some(Step::Finished(operation));
        self.drop_approval();
        self.write(turn, |record| {
            record.phase = phase;
            record.pending = None;
            record.accepted_until = None;
            record.snapshot = Snapshot {
                run_id: record.run_id.clone(),
                conversation_id: record.snapshot.conversation_id.take(),
                turn_id: record.snapshot.turn_id.take(),
                status: last.status,
                cancel_requested: record.snapshot.cancel_requested || last.cancel_requested,
                error,
                exhausted: last.exhausted,
            };
        });
    }

    pub(crate) fn end_stored(
        &mut self,
        turn: &mut Turn<'_>,
        operation: OperationId,
        stored: Result<(), Failure>,
    ) {
        if let Err(failure) = stored {
            return self.finished(turn, operation, Err(failure));
        }
        self.step = Some(Step::FinishDisarmed(operation));
        turn.want(Effect::DeleteAlarm);
    }

    pub(crate) fn end_disarmed(
        &mut self,
        turn: &mut Turn<'_>,
        operation: OperationId,
        disarmed: Result<(), Failure>,
    ) {
        let rules::End::AfterDisarming = self.rules.end;
        if disarmed.is_ok() {
            self.publish_end(turn);
            self.close_stream(turn);
            self.prepared = None;
        }
        self.finished(turn, operation, disarmed);
    }

    /// Publishes how the run ended.
    pub(crate) fn publish_end(&mut self, turn: &mut Turn<'_>) {
        let Some(record) = &self.record else { return };
        let end = serde_json::to_string(&End::of(&record.snapshot)).unwrap_or_default();
        self.publish(turn, &end);
    }
}
