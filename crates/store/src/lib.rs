//! The store contract of the job protocol as an async port.
//!
//! A [`Store`] carries out a [`Call`](holdover_jobs::Call) in one step and answers with a
//! [`Reply`](holdover_jobs::Reply). What a call means is [`holdover_jobs::Table`]; [`MemoryStore`] is that table
//! behind a lock. The crate needs no runtime: a store in another process brings its own.
//!
//! There are two ways to write one. A store that can keep jobs and find them in order implements [`Records`], three
//! functions, and [`RecordStore`] carries every command out on it, by the very code that is the meaning of commands;
//! the example `plain_map` of the conformance crate is a whole one. Where a store can do better, [`Records::shortcut`] takes a call over, such
//! as a claim by one statement. Both are held to the same conformance.

mod clock;
mod error;
mod held_clock;
mod memory;
mod record_store;
mod records;
mod store;

pub use clock::StoreClock;
pub use error::StoreError;
pub use held_clock::HeldClock;
pub use memory::MemoryStore;
pub use record_store::RecordStore;
pub use records::Records;
pub use store::Store;
