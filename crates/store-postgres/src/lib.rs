//! The store contract of the job protocol on PostgreSQL.
//!
//! [`PostgresStore`] carries calls out as [`RecordStore`](holdover_store::RecordStore) does, on
//! [`records::PostgresRecords`].
//!
//! - **Time** is the server's clock, unless the call says the time or a clock was given.
//! - **Atomicity**: a call is one transaction, durable once it is answered (the server's `synchronous_commit` says how
//!   durable). A connection that is lost once a call may have been carried out is
//!   [`StoreError::Unknown`](holdover_store::StoreError::Unknown).

mod digest;
mod error;
mod failure;
mod migrate;
mod options;
pub mod records;
mod row;
mod session;
mod store;

pub use error::OpenError;
pub use options::Options;
pub use store::PostgresStore;
