//! The journal as a port, and its contract as a pure model.
//!
//! One record per offer. The port is what the machines ask for; [`Directory`] and [`Owner`] are what the answers
//! have to mean: exclusive ownership, creation once, compare-and-swap by revision, and a capacity.

mod directory;
mod owner;

pub use directory::{Created, Directory, Page, Staged};
pub use owner::{Acquired, Owner, OwnerId, Ownership, STALE_DEFAULT, STALE_RANGE};

use crate::Invalid;

/// The most records of a directory.
pub const CAPACITY_MAX: usize = 1024;
/// The records of a directory unless configured.
pub const CAPACITY_DEFAULT: usize = 64;
/// The most records of a page.
pub const PAGE_MAX: usize = 64;

/// Why the journal did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Reading or writing failed. A write may have landed all the same.
    #[error("reading or writing failed; a write may have landed")]
    Io,
    /// This process does not own the directory, or no longer.
    #[error("the directory is not owned by this process")]
    NotOwned,
    /// The directory is full, or fuller than it may be.
    #[error("the directory holds as many records as it may")]
    Capacity,
    /// The stored revision is another, or an entry changed while listing.
    #[error("the stored revision is another")]
    Revision,
    /// There is no such record.
    #[error("there is no such record")]
    NotFound,
    /// The record to write or the stored record breaks a rule.
    #[error("invalid {0}")]
    Invalid(#[from] Invalid),
}
