//! Events, and the approvals that some of them ask for.

use crate::{
    Coordinator, Effect, ErrorCode, Event, Failure, Phase, RequestId, Response, WaitId,
    cancel::Waiter,
    event::Kind,
    failure::Reason,
    queue::{Step, Task},
    record::Pending,
    rules::Approvals,
    turn::Turn,
};

/// The approval that is pending, as this instance knows it.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Approval {
    /// Tells it apart from any other of this instance.
    number: u64,
    call_id: String,
    revision: u64,
    decision: Option<bool>,
    waits: Vec<WaitId>,
}

impl Coordinator {
    /// Takes an event: an approval is pending in memory at once, its write and every publication are queued. What comes
    /// after the abort or the end of the run is dropped, as is an end, which is not the runtime's to say.
    pub(crate) fn emitted(&mut self, turn: &mut Turn<'_>, event: Event) {
        let accepted = self.take_event(event);
        turn.want(Effect::AnswerEmit(accepted));
    }

    fn take_event(&mut self, event: Event) -> Result<(), Failure> {
        if event.kind == Kind::End || self.aborted || self.open_record().is_none() {
            return Ok(());
        }
        let mut registered = None;
        if let Kind::ApprovalRequired { call_id } = &event.kind {
            match (&self.approval, self.rules.approvals) {
                (Some(_), Approvals::One) => return Err(Failure::classified(ErrorCode::Conflict)),
                (None, Approvals::One) => registered = Some(self.register(call_id.clone())),
            }
        }
        self.queue.push_back(Task::Publish { event, approval: registered });
        Ok(())
    }

    fn register(&mut self, call_id: String) -> Pending {
        let revision = self.record.as_ref().map_or(0, |record| record.revision) + 1;
        self.approvals += 1;
        let pending = Pending { call_id: call_id.clone(), revision };
        self.approval =
            Some(Approval { number: self.approvals, call_id, revision, decision: None, waits: Vec::new() });
        pending
    }

    /// An approval is durable before anybody is asked for it.
    pub(crate) fn publish_event(&mut self, turn: &mut Turn<'_>, event: Event, approval: Option<Pending>) {
        if self.open_record().is_none() || self.aborted {
            return;
        }
        match approval {
            None => self.publish(turn, &event.payload().to_string()),
            Some(pending) => {
                self.step = Some(Step::Pending(event));
                self.write(turn, |record| record.pending = Some(pending));
            }
        }
    }

    pub(crate) fn pending_stored(&mut self, turn: &mut Turn<'_>, event: &Event, stored: Result<(), Failure>) {
        match stored {
            Ok(()) => self.publish(turn, &event.payload().to_string()),
            Err(_) => self.queue.push_back(Task::Cancel(Waiter::Background)),
        }
    }

    /// A wait needs its approval to be pending, which one asked for after the abort is not (W-C8).
    pub(crate) fn approval_wanted(&mut self, turn: &mut Turn<'_>, wait: WaitId, run_id: &str, call_id: &str) {
        let ours = self.record.as_ref().is_some_and(|record| record.run_id == run_id);
        let Some(approval) = self.approval.as_mut().filter(|approval| ours && approval.call_id == call_id)
        else {
            let conflict = Failure::conflict(Reason::ApprovalNotPending);
            return turn.want(Effect::AnswerWait(wait, Err(conflict)));
        };
        match approval.decision {
            _ if self.aborted => turn.want(Effect::AnswerWait(wait, Ok(false))),
            Some(allowed) => {
                let approval = approval.number;
                self.queue.push_back(Task::Clear { wait, approval, allowed });
            }
            None => approval.waits.push(wait),
        }
    }

    pub(crate) fn wait_aborted(&mut self, wait: WaitId) {
        let Some(approval) = &mut self.approval else { return };
        if let Some(at) = approval.waits.iter().position(|waiting| *waiting == wait) {
            approval.waits.remove(at);
            let approval = approval.number;
            self.queue.push_back(Task::Clear { wait, approval, allowed: false });
        }
    }

    pub(crate) fn decide(&mut self, turn: &mut Turn<'_>, request: RequestId, call_id: &str, allow: bool) {
        if !self.is_decidable(call_id) {
            return self.refuse(turn, request, Failure::conflict(Reason::ApprovalNotPending));
        }
        if let Some(approval) = &mut self.approval {
            approval.decision = Some(allow);
        }
        self.step = Some(Step::Decided { request, allow });
        self.write(turn, |record| record.pending = None);
    }

    fn is_decidable(&self, call_id: &str) -> bool {
        let (Some(approval), Some(record)) = (&self.approval, &self.record) else { return false };
        let Some(stored) = &record.pending else { return false };
        approval.call_id == call_id
            && stored.call_id == approval.call_id
            && stored.revision == approval.revision
            && approval.decision.is_none()
            && !self.aborted
            && record.phase == Phase::Running
    }

    /// The decision is durable before the call learns it. One that could not be written stays taken in memory.
    pub(crate) fn decided(
        &mut self,
        turn: &mut Turn<'_>,
        request: RequestId,
        allow: bool,
        stored: Result<(), Failure>,
    ) {
        if let Err(failure) = stored {
            return self.refuse(turn, request, failure);
        }
        self.release_waits(allow);
        turn.want(Effect::Respond(request, Response::done()));
    }

    /// Ends every wait for the pending approval; each still clears it before the runtime goes on.
    pub(crate) fn release_waits(&mut self, allowed: bool) {
        let Some(approval) = &mut self.approval else { return };
        let number = approval.number;
        let waits = approval.waits.drain(..);
        self.queue.extend(waits.map(|wait| Task::Clear { wait, approval: number, allowed }));
    }

    /// Nobody will decide any more; whoever still waits is denied.
    pub(crate) fn drop_approval(&mut self) {
        self.release_waits(false);
        self.approval = None;
    }

    pub(crate) fn clear(&mut self, turn: &mut Turn<'_>, wait: WaitId, approval: u64, allowed: bool) {
        if self.approval.as_ref().is_none_or(|pending| pending.number != approval) {
            return turn.want(Effect::AnswerWait(wait, Ok(allowed)));
        }
        self.drop_approval();
        self.step = Some(Step::Cleared { wait, allowed });
        self.write(turn, |record| record.pending = None);
    }
}
