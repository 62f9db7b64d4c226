//! Baselines by hand: the same durable rows that a store writes, without the protocol.

mod sqlite;

pub use sqlite::RawSqlite;
