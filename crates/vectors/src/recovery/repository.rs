use super::script::Change;
use holdover_machine::Timestamp;
use holdover_recovery::{
    Aggregate, Attempt, AttemptStatus, CANDIDATES_MAX, Candidate, Page, RecordRunning, Recover, Recovery,
    Run, RunStatus, Snapshot,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// The stored records as they are in the file, so that changes may set any member; typed where they are read.
pub(super) struct Repository {
    pub(super) runs: Vec<Value>,
    pub(super) attempts: Vec<Value>,
}

impl Repository {
    pub(super) fn apply(&mut self, change: &Change) {
        for (records, id) in [(&mut self.runs, &change.run), (&mut self.attempts, &change.attempt)] {
            let Some(id) = id else { continue };
            if change.remove {
                records.retain(|record| record["id"] != id.as_str());
                continue;
            }
            let at = records.iter().position(|record| record["id"] == id.as_str()).unwrap_or_else(|| {
                records.push(json!({ "id": id }));
                records.len() - 1
            });
            let Some(record) = records[at].as_object_mut() else { continue };
            record.extend(change.set.clone());
            record.retain(|name, _| !change.unset.contains(name));
        }
    }

    /// The default page: what the snapshot rule would take, oldest first.
    pub(super) fn page(&self) -> Result<Page, String> {
        let mut candidates = Vec::new();
        for attempt in &self.attempts {
            let attempt: Attempt = typed(attempt)?;
            let candidate = Candidate {
                run_id: attempt.run_id.clone(),
                attempt_id: attempt.id.clone(),
                attempt_created_at: attempt.created_at,
            };
            let run = find(&self.runs, &attempt.run_id)?;
            if Snapshot::of(&candidate, run, Some(attempt)).is_some() {
                candidates.push(candidate);
            }
        }
        candidates.sort_by(|a, b| {
            let key = |c: &Candidate| (c.attempt_created_at, c.attempt_id.encode_utf16().collect::<Vec<_>>());
            key(a).cmp(&key(b))
        });
        let truncated = candidates.len() > CANDIDATES_MAX;
        candidates.truncate(CANDIDATES_MAX);
        Ok(Page { candidates, truncated })
    }

    pub(super) fn load(&self, run_id: &str, attempt_id: &str) -> Result<Aggregate, String> {
        Ok(Aggregate { run: find(&self.runs, run_id)?, attempt: find(&self.attempts, attempt_id)? })
    }

    /// The default recovery transaction.
    pub(super) fn recover(&mut self, command: &Recover) -> Result<Recovery, String> {
        let Aggregate { run: Some(run), attempt: Some(attempt) } =
            self.load(&command.run.id, &command.attempt.id)?
        else {
            return Ok(Recovery::Stale);
        };
        if !attempt.status.is_active() {
            return Ok(Recovery::AlreadyRecovered);
        }
        let run_matches = run.status == RunStatus::Running
            && run.cancel_requested_at.is_none()
            && run.version == command.run.version;
        if !run_matches || guarded(&attempt) != guarded(&command.attempt) {
            return Ok(Recovery::Stale);
        }
        let started = attempt.status == AttemptStatus::Running;
        let ended = json!({ "status": "lost", "finishedAtMs": command.observed_at });
        self.commit(&run, if started { 3 } else { 2 }, &attempt.id, &ended);
        Ok(if attempt.status == AttemptStatus::Claimed { Recovery::Requeued } else { Recovery::Failed })
    }

    /// The default recording; a rejection says why.
    pub(super) fn record_running(
        &mut self,
        command: &RecordRunning,
    ) -> Result<Result<(), &'static str>, String> {
        let Aggregate { run: Some(run), attempt: Some(attempt) } =
            self.load(&command.run.id, &command.attempt.id)?
        else {
            return Ok(Err("stale_execution_authority"));
        };
        if run.version != command.run.version || attempt.status != AttemptStatus::Starting {
            return Ok(Err("stale_execution_authority"));
        }
        let running = json!({ "status": "running", "startedAtMs": command.started_at });
        self.commit(&run, 2, &attempt.id, &running);
        Ok(Ok(()))
    }

    fn commit(&mut self, run: &Run, versions: u64, attempt_id: &str, members: &Value) {
        let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let version = json!({ "version": run.version + versions });
        self.apply(&change(Some(&run.id), None, object(&version)));
        self.apply(&change(None, Some(attempt_id), object(members)));
    }
}

fn change(run: Option<&str>, attempt: Option<&str>, set: Map<String, Value>) -> Change {
    Change { run: run.map(Into::into), attempt: attempt.map(Into::into), set, ..Change::default() }
}

/// What the recovery transaction compares of an attempt.
fn guarded(attempt: &Attempt) -> impl PartialEq + use<> {
    let evidence = (attempt.callback_token_hash.clone(), attempt.executor_handle.clone(), attempt.pid);
    let times: (Timestamp, Option<Timestamp>) = (attempt.created_at, attempt.started_at);
    (attempt.status, attempt.callback_sequence, evidence, times)
}

fn find<T: DeserializeOwned>(records: &[Value], id: &str) -> Result<Option<T>, String> {
    records.iter().find(|record| record["id"] == id).map(typed).transpose()
}

fn typed<T: DeserializeOwned>(record: &Value) -> Result<T, String> {
    T::deserialize(record).map_err(|error| format!("malformed record: {error}"))
}
