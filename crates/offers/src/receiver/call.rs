use crate::{
    Context, Created, Detail, ExecutionSpec, Fence, FenceReason, Handle, JournalError, Lease, Offer,
    Prepared, Record, Refusal, RunningCommand, Text,
};
use holdover_machine::Timestamp;
use std::sync::Arc;

/// What a receiver asks a port for, one at a time per offer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Call {
    /// Read the record of the offer.
    Read,
    /// Create the record of the offer.
    Create(Box<Record>),
    /// Replace the record of revision `expected`.
    Replace {
        /// The next revision.
        record: Box<Record>,
        /// The revision that must be stored.
        expected: u64,
    },
    /// Tell the control plane that the attempt is starting.
    AcknowledgeStarting(Box<Fence>),
    /// Tell the control plane that the attempt is running.
    AcknowledgeRunning(Box<RunningCommand>),
    /// Tell the control plane that the attempt could not be started.
    FailStart(Box<Fence>),
    /// Prepare what the process is started with.
    Prepare(Box<Offer>),
    /// Start the process.
    Start {
        /// What to execute.
        spec: Arc<ExecutionSpec>,
        /// With what.
        context: Box<Context>,
    },
    /// Stop a process that is not the one asked for, to reconcile.
    Stop {
        /// The process.
        handle: Box<Handle>,
        /// When the stop was asked for.
        requested_at: Timestamp,
    },
    /// Look up the tracked lease of an attempt.
    FindLease(Text),
    /// Track a lease.
    Track(Box<Lease>),
    /// Track the lease of an attempt no longer.
    Untrack(Text),
}

impl Call {
    /// The name of the call in the transition table.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Create(_) => "create",
            Self::Replace { .. } => "write",
            Self::AcknowledgeStarting(_) => "acknowledge starting",
            Self::AcknowledgeRunning(_) => "acknowledge running",
            Self::FailStart(_) => "fail start",
            Self::Prepare(_) => "prepare",
            Self::Start { .. } => "start",
            Self::Stop { .. } => "stop",
            Self::FindLease(_) => "find lease",
            Self::Track(_) => "track",
            Self::Untrack(_) => "untrack",
        }
    }
}

/// What the control plane says about the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActivationStatus {
    /// It has recorded what it was told.
    Applied,
    /// It had recorded *starting* already.
    AlreadyStarting,
    /// It had recorded *running* already.
    AlreadyRunning,
    /// The attempt had ended already.
    AlreadyTerminal,
}

/// How a command to the control plane ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Activation {
    /// It was carried out.
    Acknowledged {
        /// What the control plane says.
        status: ActivationStatus,
        /// The lease as the control plane knows it.
        lease: Box<Lease>,
    },
    /// The fence was refused.
    Rejected(FenceReason),
    /// It was not carried out.
    Failed(Detail),
    /// Nobody knows whether it was carried out.
    Unknown(Detail),
}

/// How a start ended. The executor's own words about a failure are dropped before they get here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Start {
    /// The process runs.
    Started(Box<Handle>),
    /// Nothing was started.
    Failed,
    /// Nobody knows whether a process runs.
    Unknown,
}

/// What a port answers. A failing preparation and a failing stop have no words left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reply {
    /// To [`Call::Read`].
    Read(Result<Option<Box<Record>>, JournalError>),
    /// To [`Call::Create`].
    Created(Result<Created, JournalError>),
    /// To [`Call::Replace`].
    Replaced(Result<(), JournalError>),
    /// To the three commands to the control plane.
    Activation(Activation),
    /// To [`Call::Prepare`].
    Prepared(Option<Box<Prepared>>),
    /// To [`Call::Start`].
    Start(Start),
    /// To [`Call::Stop`], however it ended.
    Stopped,
    /// To [`Call::FindLease`].
    Lease(Option<Box<Lease>>),
    /// To [`Call::Track`].
    Tracked(Result<(), Refusal>),
    /// To [`Call::Untrack`].
    Untracked,
}
