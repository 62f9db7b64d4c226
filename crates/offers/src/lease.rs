use crate::{
    Invalid, LeaseToken, Text,
    check::{capability, count, ensure, positive, text, time},
};
use holdover_machine::{Secret, Timestamp};
use serde::{Deserialize, Serialize};

/// What has become of a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaseStatus {
    /// The worker holds it.
    Leased,
    /// The worker gave it back, or it was taken.
    Released,
    /// Its attempt has ended.
    Completed,
}

/// Why a lease was released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleaseReason {
    /// The worker did not want the run.
    Declined,
    /// The worker shut down.
    Shutdown,
    /// The run could not be started.
    StartFailed,
    /// The worker's capacity changed.
    CapacityChanged,
    /// Nobody renewed the lease.
    LeaseExpired,
}

/// The right to execute one attempt, and the fence and capability that prove it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lease {
    /// The attempt that may be executed.
    pub attempt_id: Text,
    /// The run that the attempt belongs to.
    pub run_id: Text,
    /// What has become of the lease.
    pub status: LeaseStatus,
    /// Grows by one with every renewal.
    pub version: u64,
    /// Counts the leases of the attempt: the fencing token.
    pub lease_generation: u64,
    /// The worker that holds the lease.
    pub worker_id: Text,
    /// The session of that worker.
    pub worker_session_id: Text,
    /// The generation of that worker.
    pub worker_generation: u64,
    /// The capability that goes with the lease. An offer and a journal record have to hold it.
    #[serde(serialize_with = "Secret::write")]
    pub lease_token: LeaseToken,
    /// When the lease was acquired.
    #[serde(rename = "acquiredAtMs")]
    pub acquired_at: Timestamp,
    /// When it was last renewed.
    #[serde(rename = "renewedAtMs")]
    pub renewed_at: Timestamp,
    /// When it ends: at this very millisecond it is over.
    #[serde(rename = "expiresAtMs")]
    pub expires_at: Timestamp,
    /// When it last changed.
    #[serde(rename = "updatedAtMs")]
    pub updated_at: Timestamp,
    /// When it was released.
    #[serde(rename = "releasedAtMs", skip_serializing_if = "Option::is_none")]
    pub released_at: Option<Timestamp>,
    /// Why it was released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release_reason: Option<ReleaseReason>,
    /// When its attempt ended.
    #[serde(rename = "completedAtMs", skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
}

impl Lease {
    /// Whether both are the same lease, at possibly different versions.
    pub fn same_authority(&self, other: &Self) -> bool {
        self.attempt_id == other.attempt_id
            && self.run_id == other.run_id
            && self.worker_id == other.worker_id
            && self.worker_session_id == other.worker_session_id
            && self.worker_generation == other.worker_generation
            && self.lease_generation == other.lease_generation
            && self.lease_token == other.lease_token
    }

    /// Whether the lease is over at `now`.
    pub fn expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }

    /// Checks every rule of a lease.
    pub fn check(&self) -> Result<(), Invalid> {
        text("lease.attemptId", &self.attempt_id, 128)?;
        text("lease.runId", &self.run_id, 128)?;
        count("lease.version", self.version)?;
        positive("lease.leaseGeneration", self.lease_generation)?;
        positive("lease.workerGeneration", self.worker_generation)?;
        ensure(is_worker_id(&self.worker_id), "lease.workerId", WORKER_ID)?;
        ensure(is_session_id(&self.worker_session_id), "lease.workerSessionId", SESSION_ID)?;
        capability("lease.leaseToken", self.lease_token.expose())?;
        self.check_times()?;
        self.check_end()
    }

    fn check_times(&self) -> Result<(), Invalid> {
        time("lease.acquiredAtMs", self.acquired_at)?;
        time("lease.renewedAtMs", self.renewed_at)?;
        time("lease.expiresAtMs", self.expires_at)?;
        time("lease.updatedAtMs", self.updated_at)?;
        ensure(self.renewed_at >= self.acquired_at, "lease.renewedAtMs", "must not precede acquiredAtMs")?;
        ensure(self.expires_at > self.renewed_at, "lease.expiresAtMs", "must follow renewedAtMs")?;
        ensure(self.updated_at >= self.acquired_at, "lease.updatedAtMs", "must not precede acquiredAtMs")
    }

    fn check_end(&self) -> Result<(), Invalid> {
        let released = self.status == LeaseStatus::Released;
        let completed = self.status == LeaseStatus::Completed;
        ensure(self.released_at.is_some() == released, "lease.releasedAtMs", "belongs to a released lease")?;
        ensure(
            self.release_reason.is_some() == released,
            "lease.releaseReason",
            "belongs to a released lease",
        )?;
        ensure(
            self.completed_at.is_some() == completed,
            "lease.completedAtMs",
            "belongs to a completed lease",
        )?;
        self.released_at.map_or(Ok(()), |at| time("lease.releasedAtMs", at))?;
        self.completed_at.map_or(Ok(()), |at| time("lease.completedAtMs", at))
    }
}

const WORKER_ID: &str = "must be 1 to 128 characters, a letter or digit and then [A-Za-z0-9._:-]";
const SESSION_ID: &str = "must be a lower-case UUID of version 7";

fn is_worker_id(id: &str) -> bool {
    let known = |b: u8| b.is_ascii_alphanumeric() || b"._:-".contains(&b);
    id.len() <= 128 && id.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric) && id.bytes().all(known)
}

fn is_session_id(id: &str) -> bool {
    id.len() == 36
        && id.bytes().enumerate().all(|(place, b)| match place {
            8 | 13 | 18 | 23 => b == b'-',
            14 => b == b'7',
            19 => b"89ab".contains(&b),
            _ => matches!(b, b'0'..=b'9' | b'a'..=b'f'),
        })
}
