//! A disk that exists in memory only, below SQLite.
//!
//! ```text
//!   SQLite ── vfs (functions that C calls) ──▶ Disk ── File: what is seen, what is durable, versions in between
//! ```
//!
//! What was written is seen at once and durable once it was flushed. When power is lost, every sector of 512 bytes
//! that was written since becomes one of its versions since the last flush, each by itself: writes are lost, torn and
//! reordered as a disk may do that. A flush that fails leaves it open for good what of it reached the disk: a later one
//! does not make up for it. Files are made and deleted durably at once. Locks and the memory that processes share are
//! gone with power. There is no clock and no randomness in it.
//!
//! All of `unsafe` is in `vfs`.

mod disk;
mod failure;
mod file;
mod locks;
mod opened;
mod registry;
mod shared_memory;
mod vfs;

pub use disk::Disk;
pub use failure::Failure;
