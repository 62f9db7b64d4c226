use super::{Call, Reply};
use crate::{Offer, OfferError, OfferId, RecoveryReason, Session, Text};

/// The caller's name for one delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId(pub u64);

/// What can happen to a receiver.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Input {
    /// The worker's session changed.
    Session(Option<Box<Session>>),
    /// The control plane delivered an offer.
    Deliver {
        /// The delivery, which gets exactly one answer.
        delivery: DeliveryId,
        /// The offer, which need not be valid.
        offer: Box<Offer>,
    },
    /// A port answered the last call for an offer. An answer that nobody waits for changes nothing.
    Reply {
        /// The offer.
        offer_id: OfferId,
        /// The answer.
        reply: Reply,
    },
}

/// Everything a receiver can want done.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Ask a port, and give its answer back.
    Call {
        /// The offer that it is about.
        offer_id: OfferId,
        /// What to ask for.
        call: Call,
    },
    /// Answer a delivery.
    Answer {
        /// The delivery.
        delivery: DeliveryId,
        /// How it ended.
        result: Result<Received, OfferError>,
    },
}

/// What became of an offer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Received {
    /// This delivery started it.
    Running {
        /// The process.
        executor_handle: Text,
    },
    /// It was running already.
    AlreadyRunning {
        /// The process.
        executor_handle: Text,
    },
    /// This delivery could not start it.
    StartFailed,
    /// It could not be started before.
    AlreadyFailed,
    /// It had ended already.
    AlreadyCompleted,
    /// Only the recovery path may act.
    RecoveryRequired {
        /// Why.
        reason: RecoveryReason,
    },
}

impl Received {
    /// The name on the wire.
    pub const fn status(&self) -> &'static str {
        match self {
            Self::Running { .. } => "running",
            Self::AlreadyRunning { .. } => "already_running",
            Self::StartFailed => "start_failed",
            Self::AlreadyFailed => "already_failed",
            Self::AlreadyCompleted => "already_completed",
            Self::RecoveryRequired { .. } => "recovery_required",
        }
    }
}
