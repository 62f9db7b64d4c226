use crate::{Detail, FenceReason, Invalid, JournalError, Refusal};

/// Why the worker session cannot take an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// There is no session.
    #[error("there is no current session")]
    NoSession,
    /// It is for another session.
    #[error("the offer is for another session")]
    OtherSession,
    /// The session is offline, draining (for a new claim) or over.
    #[error("the session takes no such offer now")]
    Unavailable,
    /// The execution path is not configured or not advertised.
    #[error("the session does not offer the executor type")]
    ExecutorType,
}

/// Why a delivery, or an operation of a neighbour, ended without a result. The record is unchanged, except that
/// a failing journal write may have landed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum OfferError {
    /// The offer, or the record that would have to be written, breaks a rule.
    #[error("invalid {0}")]
    Invalid(#[from] Invalid),
    /// The offer id is known with another content, or the attempt is tracked under another authority.
    #[error("another offer is known under this id, or another lease for this attempt")]
    Conflict,
    /// The current session cannot take the offer.
    #[error("{0}")]
    Target(#[from] TargetError),
    /// The lease is over.
    #[error("the lease is over")]
    Expired,
    /// The control plane refused the fence.
    #[error("the control plane refused the fence: {0:?}")]
    FenceRejected(FenceReason),
    /// The journal failed.
    #[error("journal: {0}")]
    Journal(#[from] JournalError),
    /// The lease cannot be tracked.
    #[error("the lease cannot be tracked: {0:?}")]
    Tracker(Refusal),
    /// A port failed, or nobody knows whether it did.
    #[error("a port failed")]
    Port(Detail),
    /// The clock shows no time of 0 to 2^53-1 ms.
    #[error("the clock shows no time of 0 to 2^53-1 ms")]
    Clock,
    /// The journal lost a record between its creation and the next read.
    #[error("the journal lost the record after its creation")]
    RecordLost,
}

impl OfferError {
    /// The class of the error, which says what the caller may do about it.
    pub const fn class(&self) -> &'static str {
        match self {
            Self::Invalid(_) | Self::Journal(JournalError::Invalid(_)) => "invalid",
            Self::Conflict => "conflict",
            Self::Target(_) => "target",
            Self::Expired => "expired",
            Self::FenceRejected(_) => "fence_rejected",
            Self::Journal(_) => "journal",
            Self::Tracker(_) => "tracker",
            Self::Port(_) => "port",
            Self::Clock => "clock",
            Self::RecordLost => "internal",
        }
    }
}
