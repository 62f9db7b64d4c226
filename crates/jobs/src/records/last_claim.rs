use crate::JobId;
use holdover_machine::StoreTime;
use serde::{Deserialize, Serialize};

/// What a store remembers of the last numbered claim of a worker process. An empty result is remembered too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastClaim {
    /// Its number.
    pub number: u64,
    /// The jobs and attempts that it was granted, in order.
    pub granted: Vec<(JobId, u32)>,
    /// When it was made.
    pub used_at: StoreTime,
}
