//! What a crash left: evidence about it, the few automatic ways out, and the loss of a lease.

mod coordinator;
mod evidence;
mod lease_loss;
mod receipt;
mod reconciler;

pub use coordinator::{
    Cleanup, Completion, CompletionCommand, ReceiptRemoval, Recovery, RecoveryCall, RecoveryCoordinator,
    RecoveryEffect, RecoveryInput, RecoveryReply, RecoveryStatus, RequestId,
};
pub use evidence::{Authority, CompletionResult, Evidence, Finding, ObservedCompletion, Outcome, Submission};
pub use lease_loss::{
    LeaseLoss, LeaseLossEffect, LeaseLossInput, LeaseLossReport, LeaseLossStatus, StopStatus,
};
pub use receipt::Receipt;
pub use reconciler::{GRACE_MAX, Inspection, ReceiptReading, Reconciler, ReconcilerEffect, ReconcilerInput};
