use crate::{AttemptStatus, Snapshot, attempt::Identity};

/// What must not have changed about a verified attempt when the pass looks again at its end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint {
    run_version: u64,
    callback_sequence: u64,
    pub(crate) identity: Identity,
}

impl Fingerprint {
    /// The fingerprint of a snapshot; only a running attempt with a recorded process has one.
    pub(crate) fn of(snapshot: &Snapshot) -> Option<Self> {
        let identity = snapshot.attempt.identity()?;
        (snapshot.attempt.status == AttemptStatus::Running).then_some(Self {
            run_version: snapshot.run.version,
            callback_sequence: snapshot.attempt.callback_sequence,
            identity,
        })
    }
}
