use crate::{Digest, Lease};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The name of an offer: one per attempt, lease generation and worker session.
///
/// It covers neither the lease token nor the lease version nor the spec, so a redelivery with a renewed lease
/// keeps it, and an offer of other content under the same id is a conflict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OfferId(Digest);

impl OfferId {
    /// The id that the offer of `lease` has to carry.
    pub fn of(lease: &Lease) -> Self {
        let name = format!(
            "qinglong-run-dispatch-offer-v1\0{}\0{}\0{}\0{}\0{}",
            lease.attempt_id,
            lease.lease_generation,
            lease.worker_id,
            lease.worker_session_id,
            lease.worker_generation
        );
        Self(Digest::of(name.as_bytes()))
    }
}

impl FromStr for OfferId {
    type Err = &'static str;
    fn from_str(hex: &str) -> Result<Self, Self::Err> {
        hex.parse().map(Self)
    }
}

impl fmt::Display for OfferId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for OfferId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
