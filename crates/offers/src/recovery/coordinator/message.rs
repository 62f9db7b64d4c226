use crate::{
    Activation, Detail, Evidence, Fence, FenceReason, Inspection, JournalError, OfferError, OfferId,
    ReceiptReading, Record, RunningCommand, Session, Text, recovery::CompletionResult,
};
use holdover_machine::Span;
use serde::Serialize;

/// The caller's name for one request to recover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// What can happen to a coordinator.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RecoveryInput {
    /// The worker's session changed.
    Session(Option<Box<Session>>),
    /// Recover an offer.
    Recover {
        /// The request, which gets exactly one answer.
        request: RequestId,
        /// The offer.
        offer_id: OfferId,
    },
    /// A port answered the last call for an offer. An answer that nobody waits for changes nothing.
    Reply {
        /// The offer.
        offer_id: OfferId,
        /// The answer.
        reply: RecoveryReply,
    },
}

/// Everything a coordinator can want done.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RecoveryEffect {
    /// Ask a port, and give its answer back.
    Call {
        /// The offer that it is about.
        offer_id: OfferId,
        /// What to ask for.
        call: RecoveryCall,
    },
    /// Answer a request.
    Answer {
        /// The request.
        request: RequestId,
        /// The offer.
        offer_id: OfferId,
        /// How it ended.
        result: Result<Recovery, OfferError>,
    },
}

/// What a coordinator asks a port for, one at a time per offer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RecoveryCall {
    /// Read the record of the offer.
    Read,
    /// Look for the receipt of an attempt.
    ReadReceipt(Text),
    /// Probe a process.
    Inspect(Text),
    /// Wait.
    Wait(Span),
    /// Tell the control plane how the process ended.
    Complete(Box<CompletionCommand>),
    /// Tell the control plane that the process runs.
    AcknowledgeRunning(Box<RunningCommand>),
    /// Replace the record of revision `expected`.
    Replace {
        /// The next revision.
        record: Box<Record>,
        /// The revision that must be stored.
        expected: u64,
    },
    /// Remove the receipt of an attempt.
    RemoveReceipt(Text),
}

/// What a port answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RecoveryReply {
    /// To [`RecoveryCall::Read`].
    Read(Result<Option<Box<Record>>, JournalError>),
    /// To [`RecoveryCall::ReadReceipt`].
    Receipt(ReceiptReading),
    /// To [`RecoveryCall::Inspect`].
    Inspected(Inspection),
    /// To [`RecoveryCall::Wait`].
    GraceOver,
    /// To [`RecoveryCall::Complete`].
    Completed(Completion),
    /// To [`RecoveryCall::AcknowledgeRunning`].
    Activation(Activation),
    /// To [`RecoveryCall::Replace`].
    Replaced(Result<(), JournalError>),
    /// To [`RecoveryCall::RemoveReceipt`].
    ReceiptRemoved(ReceiptRemoval),
}

/// Tells the control plane how a process ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionCommand {
    /// Who says so.
    #[serde(flatten)]
    pub fence: Fence,
    /// Which callback of the attempt it is.
    pub callback_sequence: u64,
    /// The end of the process.
    pub result: CompletionResult,
}

/// How the report of a completion ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Completion {
    /// The control plane knows of it, now or already.
    Acknowledged,
    /// The fence was refused.
    Rejected(FenceReason),
    /// It was not carried out.
    Failed(Detail),
    /// Nobody knows whether it was carried out.
    Unknown(Detail),
}

/// How the removal of a receipt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReceiptRemoval {
    /// It is gone.
    Removed,
    /// There was none.
    AlreadyAbsent,
    /// It may still be there.
    Failed,
}

/// What became of a settled offer's receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cleanup {
    /// It is gone.
    Removed,
    /// There was none.
    AlreadyAbsent,
    /// The next recovery removes it.
    Pending,
}

/// What a recovery came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryStatus {
    /// There is no such record.
    NotFound,
    /// The completion was settled before; only the receipt was looked after.
    AlreadyCompleted,
    /// Without a session nothing can be told.
    SessionUnavailable,
    /// The completion is settled now.
    CompletionAcknowledged,
    /// The control plane has recorded *running* now.
    RunningAcknowledged,
    /// It had recorded *running* already.
    AlreadyRunning,
    /// The attempt has ended for the control plane, and the process runs.
    ControlPlaneTerminal,
    /// Nothing could be done.
    Deferred,
}

/// How a recovery ended, and why.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recovery {
    /// What it came to.
    pub status: RecoveryStatus,
    /// What was found, where something was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Box<Evidence>>,
    /// What became of the receipt, where it had to go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_cleanup: Option<Cleanup>,
}
