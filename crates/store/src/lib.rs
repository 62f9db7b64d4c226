//! The store contract of the job protocol as an async port.
//!
//! A [`Store`] carries out a [`Call`](holdover_jobs::Call) in one step and answers with a
//! [`Reply`](holdover_jobs::Reply). What a call means is [`holdover_jobs::Table`]; [`MemoryStore`] is that table
//! behind a lock. The crate needs no runtime: a store in another process brings its own.

mod clock;
mod error;
mod memory;
mod store;

pub use clock::StoreClock;
pub use error::StoreError;
pub use memory::MemoryStore;
pub use store::Store;
