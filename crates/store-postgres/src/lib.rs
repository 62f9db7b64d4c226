//! The store contract of the job protocol on PostgreSQL.
//!
//! [`PostgresStore`] carries the calls that matter for speed out by one statement each, guards and all, and every
//! other as [`RecordStore`](holdover_store::RecordStore) does, on [`records::PostgresRecords`]. A statement applies
//! only where nothing is out of the ordinary; otherwise it changes nothing, and the general way judges. So refusals,
//! repeats and cancels are nowhere written twice.
//!
//! - **Time** is the server's clock, read within the statement, unless the call says the time or a clock was given.
//! - **Atomicity**: a call is one transaction, durable once it is answered (the server's `synchronous_commit` says how
//!   durable). A connection that is lost once a call may have been carried out is
//!   [`StoreError::Unknown`](holdover_store::StoreError::Unknown).
//! - **Claims** pass over jobs that others are claiming at the same moment, and over what is left of jobs that are gone.
//!   Two processes that make jobs ready and claim them may hand a job out a second later than its place in the line.

mod digest;
mod error;
mod failure;
mod migrate;
mod options;
pub mod records;
mod row;
mod session;
mod short;
mod store;

pub use error::OpenError;
pub use options::Options;
pub use store::PostgresStore;
