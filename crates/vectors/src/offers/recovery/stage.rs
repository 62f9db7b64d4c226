use super::{
    super::input::{record, time},
    scenario::{Probe, Scripts, Start},
};
use crate::FormatError;
use holdover_machine::Timestamp;
use holdover_offers::{Directory, JournalError, Owner, Record, STALE_DEFAULT, Session};
use serde_json::{Value, json};

/// Everything around a neighbour, as the file scripts it.
pub(super) struct Stage {
    pub(super) clock: Timestamp,
    pub(super) session: Option<Box<Session>>,
    pub(super) directory: Directory,
    pub(super) owner: Owner,
    pub(super) receipt: Option<Value>,
    pub(super) inspection: Option<Probe>,
    pub(super) scripts: Scripts,
    pub(super) calls: Vec<Value>,
    pub(super) results: Vec<Value>,
    /// The label of the last failure that the file gave to a journal write.
    pub(super) write_failure: Option<String>,
}

impl Stage {
    pub(super) fn new(start: Start) -> Result<Self, FormatError> {
        let clock = time(&start.clock_ms);
        let mut directory = Directory::new(holdover_offers::CAPACITY_MAX);
        let mut owner = Owner::new(1, STALE_DEFAULT);
        owner.acquire(&mut directory, clock).expect("a new directory is owned by nobody");
        for value in &start.journal {
            directory.restore(record("$.journal", value)?);
        }
        Ok(Self {
            clock,
            session: start.session,
            directory,
            owner,
            receipt: start.receipt,
            inspection: start.inspection,
            scripts: start.ports,
            calls: Vec::new(),
            results: Vec::new(),
            write_failure: None,
        })
    }

    pub(super) fn read(&mut self, id: holdover_offers::OfferId) -> Result<Option<Box<Record>>, JournalError> {
        let found = self.directory.read(&self.owner, id)?.cloned().map(Box::new);
        let outcome = found.as_ref().map_or("absent", |record| record.state.name());
        self.calls.push(json!({ "call": "journal.read", "outcome": outcome }));
        Ok(found)
    }

    pub(super) fn replace(&mut self, record: Record, expected: u64) -> Result<(), JournalError> {
        let mut call = json!({
            "call": "journal.replace", "expectedRevision": expected, "state": record.state,
            "leaseVersion": record.offer.lease.version,
        });
        let entry = self.scripts.replace.pop_front().unwrap_or_default();
        let result = match entry.throw {
            Some(label) => {
                call["outcome"] = json!(format!("{label}_error"));
                self.write_failure = Some(label);
                Err(JournalError::Io)
            }
            None => {
                let result = self.directory.replace(&mut self.owner, record, expected);
                call["outcome"] = json!(result.as_ref().map_or_else(super::super::error::journal, |()| "ok"));
                result
            }
        };
        self.calls.push(call);
        result
    }

    /// What the file's member `expect` is compared with.
    pub(super) fn outcome(self) -> Value {
        json!({
            "results": self.results,
            "calls": self.calls,
            "journal": self.directory.records().collect::<Vec<_>>(),
            "receipt_present": self.receipt.is_some(),
        })
    }
}
