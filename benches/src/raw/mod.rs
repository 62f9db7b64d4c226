//! Baselines by hand: the same durable rows that a store writes, without the protocol.

pub mod postgres;
mod sqlite;

pub use sqlite::RawSqlite;
