use crate::{Incarnation, LeaseToken, text::Text};
use holdover_machine::{Span, StoreTime};
use serde::{Deserialize, Serialize};

/// A worker's right to a job, for a while. Its attempt number is the fencing number: it counts the grants of
/// the job and is never used again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The secret that proves it.
    #[serde(with = "crate::identifier::revealed")]
    pub token: LeaseToken,
    /// The worker.
    pub worker: Text,
    /// Which run of the worker process, where the claim said so.
    pub incarnation: Option<Incarnation>,
    /// The attempt that it is for.
    pub attempt: u32,
    /// When it was granted.
    pub acquired_at: StoreTime,
    /// When it was renewed last.
    pub heartbeat_at: StoreTime,
    /// The first instant at which it is over.
    pub expires_at: StoreTime,
    /// Where time-outs are enforced: the instant beyond which no renewal reaches. Set by the start.
    pub deadline: Option<StoreTime>,
}

impl Lease {
    /// Whether its owner may still act. With [`Lease::open_for_others`] the only comparison with an expiry.
    pub fn open_for_owner(&self, now: StoreTime) -> bool {
        now < self.expires_at
    }

    /// Whether others may take the job: over, and `grace` later still.
    pub fn open_for_others(&self, now: StoreTime, grace: Span) -> bool {
        now >= self.expires_at + grace
    }

    /// Whether the attempt ran into its time-out, rather than into silence.
    pub(crate) fn timed_out(&self, now: StoreTime) -> bool {
        self.deadline.is_some_and(|deadline| now >= deadline)
    }
}
