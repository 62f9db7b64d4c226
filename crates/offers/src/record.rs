use crate::{
    Digest, Handle, Invalid, Offer, ReceiptMetadata, RecoveryReason, State, Text,
    check::{count, ensure, positive, text, time},
};
use holdover_machine::Timestamp;
use serde::{Deserialize, Serialize};

/// The most bytes of a record's JSON text.
pub const RECORD_BYTES_MAX: usize = 196_608;
const TOO_LONG: &str = "must be at most 196608 bytes of JSON";

/// What the journal knows about one offer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// The version of this format: 1.
    pub schema_version: u64,
    /// Counts the writes of this record, from 0.
    pub revision: u64,
    /// How far the offer has come.
    pub state: State,
    /// The offer, with the newest lease that was journaled.
    pub offer: Offer,
    /// When the record was created.
    #[serde(rename = "acceptedAtMs")]
    pub accepted_at: Timestamp,
    /// When it was last written; it never goes back, whatever the clock does.
    #[serde(rename = "updatedAtMs")]
    pub updated_at: Timestamp,
    /// The process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executor_handle: Option<Text>,
    /// When the process started, by the executor's clock.
    #[serde(rename = "executorStartedAtMs", skip_serializing_if = "Option::is_none")]
    pub executor_started_at: Option<Timestamp>,
    /// The log of the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_artifact_id: Option<Text>,
    /// The callback by which the process reports its completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_receipt_callback_sequence: Option<u64>,
    /// The digest of that callback's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_receipt_token_digest: Option<Digest>,
    /// When the control plane was known to know of the completion.
    #[serde(rename = "completionAcknowledgedAtMs", skip_serializing_if = "Option::is_none")]
    pub completion_acknowledged_at: Option<Timestamp>,
    /// Why only the recovery path may act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_reason: Option<RecoveryReason>,
}

impl Record {
    /// The first record of an offer.
    pub fn accepted(offer: Offer, now: Timestamp) -> Self {
        Self {
            schema_version: 1,
            revision: 0,
            state: State::Accepted,
            offer,
            accepted_at: now,
            updated_at: now,
            executor_handle: None,
            executor_started_at: None,
            log_artifact_id: None,
            completion_receipt_callback_sequence: None,
            completion_receipt_token_digest: None,
            completion_acknowledged_at: None,
            recovery_reason: None,
        }
    }

    /// Reads a record from a journal and checks it; unknown members are dropped.
    pub fn parse(json: &str) -> Result<Self, Invalid> {
        ensure(json.len() <= RECORD_BYTES_MAX, "record", TOO_LONG)?;
        let record: Self =
            serde_json::from_str(json).map_err(|error| Invalid::unreadable("record", &error))?;
        record.check()?;
        Ok(record)
    }

    /// The record as a journal keeps it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a checked record has text keys and finite numbers")
    }

    /// The record's next revision: `change` applied, in a later or the same time.
    ///
    /// The result is checked, so that no machine can ask a journal for an invalid write.
    pub fn next(&self, now: Timestamp, change: impl FnOnce(&mut Self)) -> Result<Self, Invalid> {
        let mut next = self.clone();
        next.revision = self.revision.saturating_add(1);
        next.updated_at = now.max(self.updated_at);
        change(&mut next);
        next.offer.check_lease()?;
        next.check_state()?;
        Ok(next)
    }

    /// The process of a checked record in `started` or `running_acknowledged`: its handle and its start time.
    pub(crate) fn process(&self) -> (&Text, Timestamp) {
        let process = self.executor_handle.as_ref().zip(self.executor_started_at);
        process.expect("records are checked before they are acted on, and these states have a process")
    }

    /// What is known about the completion receipt of the process.
    pub fn receipt_metadata(&self) -> Option<ReceiptMetadata> {
        let callback_sequence = self.completion_receipt_callback_sequence?;
        Some(ReceiptMetadata { callback_sequence, token_digest: self.completion_receipt_token_digest? })
    }

    pub(crate) fn set_receipt_metadata(&mut self, metadata: Option<ReceiptMetadata>) {
        if let Some(metadata) = metadata {
            self.completion_receipt_callback_sequence = Some(metadata.callback_sequence);
            self.completion_receipt_token_digest = Some(metadata.token_digest);
        }
    }

    pub(crate) fn set_process(&mut self, handle: &Handle, log_artifact_id: Option<Text>) {
        self.executor_handle = Some(handle.journaled().clone());
        self.executor_started_at = Some(handle.started_at);
        self.log_artifact_id = log_artifact_id;
    }

    /// Leaves the offer to the recovery path.
    pub(crate) fn require_recovery(&mut self, reason: RecoveryReason) {
        self.state = State::RecoveryRequired;
        self.recovery_reason = Some(reason);
    }

    /// Settles the offer: the control plane knows of the completion.
    pub(crate) fn acknowledge_completion(&mut self) {
        self.state = State::CompletionAcknowledged;
        self.recovery_reason = None;
        self.completion_acknowledged_at = Some(self.updated_at);
    }

    /// Checks every rule of a record.
    pub fn check(&self) -> Result<(), Invalid> {
        self.offer.check()?;
        self.check_state()
    }

    fn check_state(&self) -> Result<(), Invalid> {
        ensure(self.schema_version == 1, "schemaVersion", "must be 1")?;
        count("revision", self.revision)?;
        time("acceptedAtMs", self.accepted_at)?;
        time("updatedAtMs", self.updated_at)?;
        ensure(self.updated_at >= self.accepted_at, "updatedAtMs", "must not precede acceptedAtMs")?;
        self.check_process()?;
        self.check_receipt()?;
        self.check_end()?;
        let fits = self.to_json().len() <= RECORD_BYTES_MAX;
        ensure(fits, "record", TOO_LONG)
    }

    fn check_process(&self) -> Result<(), Invalid> {
        use State::{CompletionAcknowledged, RecoveryRequired, RunningAcknowledged, Started};
        let known = self.executor_handle.is_some();
        let together =
            known == self.executor_started_at.is_some() && (known || self.log_artifact_id.is_none());
        ensure(
            together,
            "executorHandle",
            "goes with executorStartedAtMs, and logArtifactId only with both",
        )?;
        match self.state {
            Started | RunningAcknowledged => ensure(known, "executorHandle", "must be there in this state")?,
            RecoveryRequired | CompletionAcknowledged => {}
            _ => ensure(!known, "executorHandle", "must not be there in this state")?,
        }
        self.executor_handle.as_ref().map_or(Ok(()), |handle| text("executorHandle", handle, 2048))?;
        self.executor_started_at.map_or(Ok(()), |at| time("executorStartedAtMs", at))?;
        self.log_artifact_id.as_ref().map_or(Ok(()), |id| text("logArtifactId", id, 36))
    }

    fn check_receipt(&self) -> Result<(), Invalid> {
        let sequence = self.completion_receipt_callback_sequence;
        let together = sequence.is_some() == self.completion_receipt_token_digest.is_some();
        ensure(together, "completionReceiptTokenDigest", "goes with completionReceiptCallbackSequence")?;
        let before_start = matches!(self.state, State::Accepted | State::StartingAcknowledged);
        let allowed = sequence.is_none() || !before_start;
        ensure(allowed, "completionReceiptCallbackSequence", "must not be there before the start barrier")?;
        sequence.map_or(Ok(()), |sequence| positive("completionReceiptCallbackSequence", sequence))
    }

    fn check_end(&self) -> Result<(), Invalid> {
        let completed = self.state == State::CompletionAcknowledged;
        let expected = completed.then_some(self.updated_at);
        let time = self.completion_acknowledged_at == expected;
        ensure(
            time,
            "completionAcknowledgedAtMs",
            "must be updatedAtMs in the completed state, else absent",
        )?;
        let receipt = !completed || self.receipt_metadata().is_some();
        ensure(receipt, "completionReceiptCallbackSequence", "must be there in the completed state")?;
        let reason = self.recovery_reason.is_some() == (self.state == State::RecoveryRequired);
        ensure(reason, "recoveryReason", "belongs to recovery_required")
    }
}
