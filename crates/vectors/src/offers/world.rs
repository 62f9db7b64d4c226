use super::{
    input::{overlaid, read, record, time, with, written},
    ports::Waiting,
    script::{Change, JournalEntry, JournalOperation, JournalWrite, Scripts},
};
use crate::FormatError;
use holdover_machine::Timestamp;
use holdover_offers::{
    DeliveryId, Directory, Input, Lease, OfferError, OfferId, Owner, Received, Record, STALE_DEFAULT,
    Session, Text,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};

/// Everything around a receiver, as the file scripts it.
pub(super) struct World {
    pub(super) clock: Timestamp,
    pub(super) executor_type: Text,
    pub(super) session: Option<Box<Session>>,
    pub(super) directory: Directory,
    pub(super) owner: Owner,
    pub(super) tracked: Vec<Lease>,
    pub(super) scripts: Scripts,
    pub(super) processes: Vec<Process>,
    pub(super) calls: Vec<Value>,
    /// Calls whose answer waits for a gate.
    pub(super) gated: Vec<(String, Waiting)>,
    pub(super) inputs: VecDeque<Input>,
    pub(super) answers: Vec<(DeliveryId, Result<Received, OfferError>)>,
    /// What of the script turned out not to be as the format describes.
    pub(super) malformed: Option<String>,
    /// The lease of the last offer given to the receiver, by attempt.
    given: BTreeMap<Text, Lease>,
    operations: [u64; 3],
}

/// A process that was spawned, and whether it still runs.
pub(super) struct Process {
    pub(super) id: String,
    pub(super) attempt_id: Text,
    pub(super) running: bool,
}

impl World {
    pub(super) fn new(clock: Timestamp, executor_type: Text, capacity: usize, scripts: Scripts) -> Self {
        let mut directory = Directory::new(capacity);
        let mut owner = Owner::new(1, STALE_DEFAULT);
        owner.acquire(&mut directory, clock).expect("a new directory is owned by nobody");
        Self {
            clock,
            executor_type,
            session: None,
            directory,
            owner,
            tracked: Vec::new(),
            scripts,
            processes: Vec::new(),
            calls: Vec::new(),
            gated: Vec::new(),
            inputs: VecDeque::new(),
            answers: Vec::new(),
            malformed: None,
            given: BTreeMap::new(),
            operations: [0; 3],
        }
    }

    pub(super) fn set_session(&mut self, session: Option<Box<Session>>) {
        self.session = session.clone();
        self.inputs.push_back(Input::Session(session));
    }

    pub(super) fn restore(&mut self, record: Record) {
        self.given(&record.offer.lease);
        self.directory.restore(record);
    }

    pub(super) fn given(&mut self, lease: &Lease) {
        self.given.insert(lease.attempt_id.clone(), lease.clone());
    }

    /// Tracks a lease without asking whether it may be tracked.
    pub(super) fn track(&mut self, lease: Lease) {
        match self.tracked.iter_mut().find(|known| known.attempt_id == lease.attempt_id) {
            Some(known) => *known = lease,
            None => self.tracked.push(lease),
        }
    }

    pub(super) fn restart(&mut self) {
        self.tracked.clear();
        self.gated.clear();
        self.inputs.clear();
        self.inputs.push_back(Input::Session(self.session.clone()));
        self.calls.push(json!({ "call": "restart" }));
    }

    pub(super) fn release(&mut self, gate: &str) {
        let gated = std::mem::take(&mut self.gated);
        for (name, waiting) in gated {
            if name == gate {
                self.complete(waiting);
            } else {
                self.gated.push((name, waiting));
            }
        }
    }

    /// The lease that the control plane answers to a command for `attempt_id` at `version`.
    pub(super) fn acknowledged_lease(
        &self,
        attempt_id: &Text,
        version: u64,
        members: &Map<String, Value>,
    ) -> Result<Lease, FormatError> {
        let given = self.given.get(attempt_id).ok_or_else(|| {
            FormatError::malformed(
                "$.ports",
                format!("the attempt {attempt_id} was never given to the receiver"),
            )
        })?;
        overlaid("$.ports.*.lease", &Lease { version, ..given.clone() }, members)
    }

    /// What the script has for the next call of a journal operation.
    pub(super) fn journal_entry(&mut self, on: JournalOperation) -> Option<JournalEntry> {
        self.operations[on as usize] += 1;
        let nth = self.operations[on as usize];
        let entries = &mut self.scripts.journal;
        let at = entries.iter().position(|entry| entry.on == on && entry.nth == nth)?;
        Some(entries.remove(at))
    }

    pub(super) fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            if let Err(error) = self.apply_one(change) {
                self.malformed = Some(error.to_string());
            }
        }
    }

    fn apply_one(&mut self, change: &Change) -> Result<(), FormatError> {
        match change {
            Change::SetClockMs(value) => self.clock = time(value),
            Change::SetSession(value) => self.set_session(read("set_session", value)?),
            Change::Renew(members) => self.renew(members)?,
            Change::Track(value) => self.track(read("track", value)?),
            Change::Untrack(attempt_id) => self.tracked.retain(|lease| *lease.attempt_id != **attempt_id),
            Change::JournalWrite(write) => self.write(write)?,
        }
        Ok(())
    }

    fn renew(&mut self, members: &Map<String, Value>) -> Result<(), FormatError> {
        let attempt_id = members.get("attemptId").and_then(Value::as_str).unwrap_or_default();
        let tracked = self.tracked.iter_mut().find(|lease| &*lease.attempt_id == attempt_id);
        let tracked =
            tracked.ok_or_else(|| FormatError::malformed("renew", "no lease of this attempt is tracked"))?;
        *tracked = overlaid("renew", tracked, members)?;
        Ok(())
    }

    fn write(&mut self, write: &JournalWrite) -> Result<(), FormatError> {
        let malformed = |what: &str| FormatError::malformed("journal_write", what);
        let id: OfferId = write.offer_id.parse().map_err(malformed)?;
        let stored = self.directory.read(&self.owner, id).ok().flatten();
        let stored = stored.ok_or_else(|| malformed("there is no such record"))?;
        let mut value = with(written(stored), &write.set);
        value["revision"] = json!(stored.revision + 1);
        if let Value::Object(object) = &mut value {
            object.retain(|name, _| !write.unset.contains(name));
        }
        self.directory.restore(record("journal_write", &value)?);
        Ok(())
    }

    pub(super) fn outcome(self) -> Value {
        let tracked = self.tracked.iter();
        let tracked = tracked.map(|lease| json!({ "attemptId": lease.attempt_id, "version": lease.version }));
        let processes = self.processes.iter().map(
            |process| json!({ "id": process.id, "attemptId": process.attempt_id, "running": process.running }),
        );
        json!({
            "calls": self.calls,
            "journal": self.directory.records().collect::<Vec<_>>(),
            "tracked": tracked.collect::<Vec<_>>(),
            "processes": processes.collect::<Vec<_>>(),
        })
    }
}
