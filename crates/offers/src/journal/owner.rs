use super::{Directory, JournalError};
use holdover_machine::{Span, Timestamp};
use std::ops::RangeInclusive;

/// How long a heartbeat may be missing before the lock counts as abandoned, unless configured.
pub const STALE_DEFAULT: Span = Span::from_ms(30_000);
/// What can be configured for it, in milliseconds.
pub const STALE_RANGE: RangeInclusive<i64> = 5_000..=300_000;

/// The name of one process that wants to own a directory.
pub type OwnerId = u64;

/// What a process believes about its ownership.
///
/// ```text
/// unowned --acquire--> owned --release--> releasing --released--> unowned
///                        |                    |
///                  heartbeat lost       release failed
///                        +---> compromised <--+          (final)
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ownership {
    /// It does not own the directory.
    Unowned,
    /// It owns the directory, as far as it knows.
    Owned,
    /// It is giving the directory up.
    Releasing,
    /// It lost the directory, or does not know.
    Compromised,
}

/// How an acquisition ended well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Acquired {
    /// The directory is now owned.
    Now,
    /// It was already.
    AlreadyOwned,
}

/// The lock file: who wrote it, and when it last showed a sign of life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Lock {
    owner: OwnerId,
    heartbeat_at: Timestamp,
}

/// One process and its belief to own a directory. The belief can be wrong: a process that was paused for longer
/// than the lock may be silent still believes, until its next heartbeat.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner {
    id: OwnerId,
    stale: Span,
    ownership: Ownership,
    pub(super) staged: u32,
}

impl Owner {
    /// A process that owns nothing; `stale` is brought into its range.
    pub fn new(id: OwnerId, stale: Span) -> Self {
        let stale = Span::from_ms(stale.ms().clamp(*STALE_RANGE.start(), *STALE_RANGE.end()));
        Self { id, stale, ownership: Ownership::Unowned, staged: 0 }
    }

    /// What the process believes.
    pub fn ownership(&self) -> Ownership {
        self.ownership
    }

    /// How often the process has to show a sign of life.
    pub fn heartbeat_every(&self) -> Span {
        Span::from_ms((self.stale.ms() / 2).max(1_000))
    }

    /// Takes the lock if nobody has it, or if whoever has it has been silent for too long. Never waits.
    pub fn acquire(&mut self, directory: &mut Directory, now: Timestamp) -> Result<Acquired, JournalError> {
        match self.ownership {
            Ownership::Owned => return Ok(Acquired::AlreadyOwned),
            Ownership::Releasing | Ownership::Compromised => return Err(JournalError::NotOwned),
            Ownership::Unowned => {}
        }
        if directory.lock.is_some_and(|lock| now - lock.heartbeat_at < self.stale) {
            return Err(JournalError::NotOwned);
        }
        directory.lock = Some(Lock { owner: self.id, heartbeat_at: now });
        self.ownership = Ownership::Owned;
        Ok(Acquired::Now)
    }

    /// Shows a sign of life, or learns that the lock is another's.
    pub fn heartbeat(&mut self, directory: &mut Directory, now: Timestamp) {
        if !matches!(self.ownership, Ownership::Owned | Ownership::Releasing) {
            return;
        }
        match &mut directory.lock {
            Some(lock) if lock.owner == self.id => lock.heartbeat_at = now,
            _ => self.ownership = Ownership::Compromised,
        }
    }

    /// Begins to give the directory up. While mutations are under way it is not the time yet: `false`.
    pub fn release(&mut self) -> bool {
        if self.ownership == Ownership::Owned && self.staged == 0 {
            self.ownership = Ownership::Releasing;
        }
        self.ownership != Ownership::Owned
    }

    /// Ends what [`Owner::release`] began.
    pub fn released(&mut self, directory: &mut Directory) {
        if self.ownership != Ownership::Releasing {
            return;
        }
        if directory.lock.take_if(|lock| lock.owner == self.id).is_some() {
            self.ownership = Ownership::Unowned;
        } else {
            self.ownership = Ownership::Compromised;
        }
    }

    pub(super) fn require_owned(&self) -> Result<(), JournalError> {
        if self.ownership == Ownership::Owned { Ok(()) } else { Err(JournalError::NotOwned) }
    }
}
