use crate::Record;
use std::sync::Arc;

/// A job as a store of records keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// The record.
    pub record: Arc<Record>,
    /// Another number after every change of the record.
    pub revision: u64,
    /// How many events its log has.
    pub events: u64,
}
