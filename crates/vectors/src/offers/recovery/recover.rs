use super::{
    super::{
        error::error,
        input::{read, with, written},
        script::Status,
    },
    scenario::{Entry, Probe},
    stage::Stage,
};
use crate::FormatError;
use holdover_machine::{Ports, Secret, Span, Timestamp, drive};
use holdover_offers::{
    Activation, Completion, Detail, Inspection, JournalError, Lease, OfferError, OfferId, Receipt,
    ReceiptReading, ReceiptRemoval, Recovery, RecoveryCall, RecoveryCoordinator, RecoveryEffect,
    RecoveryInput, RecoveryReply, RequestId, Rules, RunningCommand, Text,
};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;

/// Recovers the one record, or the absent one that the expectation names, `repeat` times in a row.
pub(super) fn run(stage: &mut Stage, expect: &Value, grace_ms: i64, repeat: u64) -> Result<(), FormatError> {
    let recorded = stage.directory.records().next().map(|record| record.offer.offer_id);
    let named = || read("$.expect.results[0].ok.offerId", &expect["results"][0]["ok"]["offerId"]);
    let offer_id = recorded.map_or_else(named, Ok)?;
    let mut coordinator = RecoveryCoordinator::new(Rules::original(), Span::from_ms(grace_ms));
    let session = RecoveryInput::Session(stage.session.clone());
    let mut ports = RecoveryPorts { stage, inputs: VecDeque::from([session]) };
    for request in (0..repeat).map(RequestId) {
        ports.inputs.push_back(RecoveryInput::Recover { request, offer_id });
        drive(&mut coordinator, &mut ports);
    }
    Ok(())
}

struct RecoveryPorts<'a> {
    stage: &'a mut Stage,
    inputs: VecDeque<RecoveryInput>,
}

impl Ports<RecoveryCoordinator> for RecoveryPorts<'_> {
    fn now(&mut self) -> Timestamp {
        self.stage.clock
    }

    fn perform(&mut self, effect: RecoveryEffect) {
        match effect {
            RecoveryEffect::Call { offer_id, call } => {
                let reply = self.call(offer_id, call);
                self.inputs.push_back(RecoveryInput::Reply { offer_id, reply });
            }
            RecoveryEffect::Answer { offer_id, result, .. } => {
                let result = self.result(offer_id, result);
                self.stage.results.push(result);
            }
        }
    }

    fn next(&mut self) -> Option<RecoveryInput> {
        self.inputs.pop_front()
    }
}

impl RecoveryPorts<'_> {
    fn call(&mut self, offer_id: OfferId, call: RecoveryCall) -> RecoveryReply {
        match call {
            RecoveryCall::Read => RecoveryReply::Read(self.stage.read(offer_id)),
            RecoveryCall::ReadReceipt(attempt_id) => RecoveryReply::Receipt(self.read_receipt(&attempt_id)),
            RecoveryCall::Inspect(handle) => {
                self.log("inspector.inspect", json!({ "durableHandle": handle }));
                RecoveryReply::Inspected(inspection(self.stage.inspection.as_ref()))
            }
            RecoveryCall::Wait(_) => RecoveryReply::GraceOver,
            RecoveryCall::Complete(command) => {
                self.log("completion.complete", written(&command));
                let entry = self.stage.scripts.complete.pop_front().unwrap_or_default();
                RecoveryReply::Completed(match (entry.reject, entry.throw) {
                    (Some(reason), _) => Completion::Rejected(reason),
                    (None, Some(label)) => Completion::Failed(detail(&label)),
                    (None, None) => Completion::Acknowledged,
                })
            }
            RecoveryCall::AcknowledgeRunning(command) => {
                self.log("activation.acknowledge_running", written(&command));
                RecoveryReply::Activation(self.activation(offer_id, &command))
            }
            RecoveryCall::Replace { record, expected } => {
                RecoveryReply::Replaced(self.stage.replace(*record, expected))
            }
            RecoveryCall::RemoveReceipt(attempt_id) => {
                RecoveryReply::ReceiptRemoved(self.remove_receipt(&attempt_id))
            }
        }
    }

    fn log(&mut self, name: &str, members: Value) {
        self.stage.calls.push(with(members, &Map::from_iter([("call".to_owned(), json!(name))])));
    }

    /// The published receipt, or what the script says instead.
    fn read_receipt(&mut self, attempt_id: &Text) -> ReceiptReading {
        self.log("receipts.read", json!({ "attemptId": attempt_id }));
        let entry = self.stage.scripts.receipt_read.pop_front().unwrap_or_default();
        if entry.throw.is_some() {
            return ReceiptReading::Unreadable;
        }
        match entry.reply.or_else(|| self.stage.receipt.clone()) {
            None | Some(Value::Null) => ReceiptReading::Absent,
            Some(value) => Receipt::parse(&value.to_string())
                .map_or(ReceiptReading::Unreadable, |receipt| ReceiptReading::Present(Box::new(receipt))),
        }
    }

    fn remove_receipt(&mut self, attempt_id: &Text) -> ReceiptRemoval {
        self.log("receipts.remove", json!({ "attemptId": attempt_id }));
        let entry = self.stage.scripts.receipt_remove.pop_front().unwrap_or_default();
        match entry.throw {
            Some(_) => ReceiptRemoval::Failed,
            None if self.stage.receipt.take().is_some() => ReceiptRemoval::Removed,
            None => ReceiptRemoval::AlreadyAbsent,
        }
    }

    fn activation(&mut self, offer_id: OfferId, command: &RunningCommand) -> Activation {
        let entry = self.stage.scripts.running.pop_front().unwrap_or_default();
        match (entry.reject, &entry.throw, self.acknowledged_lease(offer_id, &entry, command)) {
            (Some(reason), _, _) => Activation::Rejected(reason),
            (None, Some(label), _) => Activation::Failed(detail(label)),
            (None, None, Some(lease)) => {
                Activation::Acknowledged { status: Status::or_applied(entry.status), lease: Box::new(lease) }
            }
            (None, None, None) => Activation::Failed(detail("no record")),
        }
    }

    /// The stored lease at the version that the script says, else at the one that was sent.
    fn acknowledged_lease(
        &self,
        offer_id: OfferId,
        entry: &Entry,
        command: &RunningCommand,
    ) -> Option<Lease> {
        let stored = self.stage.directory.read(&self.stage.owner, offer_id).ok()??.offer.lease.clone();
        let version = entry.lease_version.unwrap_or(command.fence.expected_lease_version);
        Some(Lease { version, ..stored })
    }

    /// A result as the files write it. A failing write has the label that the file gave it.
    fn result(&mut self, offer_id: OfferId, result: Result<Recovery, OfferError>) -> Value {
        match result {
            Ok(recovery) => {
                let id = Map::from_iter([("offerId".to_owned(), json!(offer_id))]);
                json!({ "ok": with(written(&recovery), &id) })
            }
            Err(OfferError::Journal(JournalError::Io)) => {
                json!({ "error": { "class": "port", "reason": self.stage.write_failure.take() } })
            }
            Err(failed) => json!({ "error": error(&failed) }),
        }
    }
}

fn detail(label: &str) -> Detail {
    Secret::new(label.into())
}

/// Without an answer in the file the probe fails.
fn inspection(probe: Option<&Probe>) -> Inspection {
    let identity_pid = probe.and_then(|probe| probe.identity_pid);
    match probe.map(|probe| probe.status.as_str()) {
        Some("running") => Inspection::Running { identity_pid },
        Some("exited") => Inspection::Exited { identity_pid },
        Some("invalid") => Inspection::HandleInvalid,
        Some("identity_mismatch") => Inspection::IdentityMismatch { identity_pid },
        Some("unsupported") => Inspection::Unsupported,
        _ => Inspection::Failed,
    }
}
