//! The job store in an SQLite file: embedded, durable, and named `sqlite:PATH`.
//!
//! ```text
//!   execute ──▶ writer thread ── BEGIN, call, call, call, COMMIT ──▶ answers
//!      └──────▶ reader threads, each on a connection of its own, for what only reads
//! ```
//!
//! **Durability.** Every reply that tells of a change is given after its commit: write-ahead log, flushed each time
//! ([`Durability::Full`]). Calls that wait at once are committed together, which is what makes it fast. A call that
//! changes nothing, such as a claim without a number that finds nothing, takes no lock and writes nothing.
//!
//! **Atomicity.** A call reads and writes in one transaction, by the very code that is the meaning of commands
//! ([`Step`](holdover_jobs::records::Step)). Several processes may open one file: the lock for writing is the file's.
//!
//! **Errors.** A call whose error is [`Failed`](holdover_store::StoreError::Failed) has left nothing behind, and the
//! store goes on: the file was locked by others for longer than [`Options::busy_timeout`], the disk is full, the file
//! cannot be written or is damaged. [`Unknown`](holdover_store::StoreError::Unknown) is what a commit ends with that
//! fails in any other way than by a write that was not made: the flush that failed may still have brought it to the
//! disk. It is not seen by later calls, and would come back only by a crash before the next commit.
//!
//! **Time** is that of the process with the file, held by [`HeldClock`](holdover_store::HeldClock) where a call asks
//! for it, or the [clock](Options::clock) that was given.

mod clock;
mod connect;
mod engine;
mod fault;
mod group;
#[cfg(test)]
mod growth;
mod open_error;
mod options;
mod read;
mod readers;
mod ready;
mod row;
mod schema;
mod store;
mod totals;
mod write;
mod writer;

pub use engine::Engine;
pub use open_error::OpenError;
pub use options::{Durability, Options};
pub use store::SqliteStore;
