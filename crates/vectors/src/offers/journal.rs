//! The journal of a receiver, with the faults that the file scripts.

use super::{
    error::journal,
    script::{Fault, JournalOperation},
    world::World,
};
use holdover_offers::{Created, JournalError, OfferId, Record, Reply};
use serde_json::{Value, json};

impl World {
    pub(super) fn read(&mut self, offer_id: OfferId) {
        let call = json!({ "call": "journal.read", "offerId": offer_id });
        self.operate(
            offer_id,
            JournalOperation::Read,
            call,
            |world| world.directory.read(&world.owner, offer_id).map(|record| record.cloned().map(Box::new)),
            |found| found.as_ref().map_or("absent", |record| record.state.name()),
            Reply::Read,
        );
    }

    pub(super) fn create(&mut self, offer_id: OfferId, record: Record) {
        let call = json!({
            "call": "journal.create", "offerId": offer_id, "state": record.state, "revision": record.revision,
        });
        self.operate(
            offer_id,
            JournalOperation::Create,
            call,
            |world| world.directory.create(&mut world.owner, record),
            |created| match created {
                Created::New => "created",
                Created::Exists => "exists",
            },
            Reply::Created,
        );
    }

    pub(super) fn replace(&mut self, offer_id: OfferId, record: Record, expected: u64) {
        let mut call = json!({
            "call": "journal.replace", "offerId": offer_id, "expectedRevision": expected,
            "revision": record.revision, "state": record.state, "leaseVersion": record.offer.lease.version,
        });
        if let Some(reason) = record.recovery_reason {
            call["recoveryReason"] = json!(reason);
        }
        self.operate(
            offer_id,
            JournalOperation::Replace,
            call,
            |world| world.directory.replace(&mut world.owner, record, expected),
            |()| "ok",
            Reply::Replaced,
        );
    }

    /// One operation: what came before it, its fault if it has one, its entry in the list of calls, its answer.
    fn operate<T>(
        &mut self,
        offer_id: OfferId,
        on: JournalOperation,
        mut call: Value,
        operation: impl FnOnce(&mut Self) -> Result<T, JournalError>,
        outcome: impl FnOnce(&T) -> &'static str,
        reply: impl FnOnce(Result<T, JournalError>) -> Reply,
    ) {
        let entry = self.journal_entry(on);
        let (before, fault) = entry.map_or((Vec::new(), None), |entry| (entry.before, entry.fault));
        self.apply(&before);
        let (result, outcome) = match fault {
            None => {
                let result = operation(self);
                let outcome = result.as_ref().map_or_else(journal, outcome);
                (Some(result), outcome)
            }
            Some(Fault::Io) => (Some(Err(JournalError::Io)), "io_error"),
            Some(Fault::NotOwned) => (Some(Err(JournalError::NotOwned)), "not_owned"),
            Some(Fault::IoAfter) => {
                (Some(operation(self).and(Err(JournalError::Io))), "io_error_after_write")
            }
            Some(Fault::CrashBefore) => (None, "crash_before"),
            Some(Fault::CrashAfter) => {
                drop(operation(self));
                (None, "crash_after")
            }
        };
        call["outcome"] = json!(outcome);
        self.calls.push(call);
        if let Some(result) = result {
            self.reply(offer_id, reply(result));
        }
    }
}
