//! What the benchmarks measure: a queue of jobs in a table, and the load of a whole world.

mod load;
mod queue;

pub use load::{Done, Load, Watch};
pub use queue::{Queue, Turn};
