use crate::{
    CompletionToken, Invalid, Record, Text,
    check::{capability, ensure, positive, text, time},
    secret::token_digest,
};
use holdover_machine::Timestamp;
use serde::Deserialize;

/// What a process leaves behind when it ends. Only the process that was started could write it: it knows the
/// completion token.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// The version of this format: 1.
    pub schema_version: u64,
    /// The run that was executed.
    pub run_id: Text,
    /// Its attempt.
    pub attempt_id: Text,
    /// Which callback of the attempt it is.
    pub callback_sequence: u64,
    /// The completion token. It never leaves the reconciler.
    pub token: CompletionToken,
    /// When the process started.
    #[serde(rename = "startedAtMs")]
    pub started_at: Timestamp,
    /// When it ended.
    #[serde(rename = "finishedAtMs")]
    pub finished_at: Timestamp,
    /// Its exit code, if it exited by itself.
    #[serde(default)]
    pub exit_code: Option<i64>,
}

impl Receipt {
    /// Reads a published receipt and checks it.
    pub fn parse(json: &str) -> Result<Self, Invalid> {
        let receipt: Self =
            serde_json::from_str(json).map_err(|error| Invalid::unreadable("receipt", &error))?;
        receipt.check()?;
        Ok(receipt)
    }

    fn check(&self) -> Result<(), Invalid> {
        ensure(self.schema_version == 1, "receipt.schemaVersion", "must be 1")?;
        text("receipt.runId", &self.run_id, 128)?;
        text("receipt.attemptId", &self.attempt_id, 128)?;
        positive("receipt.callbackSequence", self.callback_sequence)?;
        capability("receipt.token", self.token.expose())?;
        time("receipt.startedAtMs", self.started_at)?;
        time("receipt.finishedAtMs", self.finished_at)?;
        ensure(self.finished_at >= self.started_at, "receipt.finishedAtMs", "must not precede startedAtMs")
    }

    /// Whether the process that wrote the receipt is the one that `record` is about.
    pub(super) fn belongs_to(&self, record: &Record) -> bool {
        let candidate = &record.offer.candidate;
        let same_attempt = self.run_id == candidate.run_id && self.attempt_id == candidate.attempt_id;
        let same_start = record.executor_started_at.is_none_or(|at| at == self.started_at);
        same_attempt && same_start && record.state.may_own_process() && self.authentic(record)
    }

    fn authentic(&self, record: &Record) -> bool {
        record.receipt_metadata().is_some_and(|known| {
            known.callback_sequence == self.callback_sequence
                && known.token_digest.same_in_constant_time(&token_digest(&self.token))
        })
    }
}
