//! What the benchmarks measure: a queue of jobs in a table, the load of a whole world, and stores beside raw queues.

mod load;
mod queue;
pub mod raw;

pub use load::{Done, Load, Watch};
pub use queue::{Queue, Turn};
