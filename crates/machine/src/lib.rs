//! What every protocol crate shares, and nothing else: the shape of a participant without IO, the types of
//! time, and the three outcomes of a call through a port.
//!
//! A protocol crate depends on this one and on codecs. It never reads a clock, draws a number or waits: what
//! happens comes in as an input, what it wants done goes out as an effect, and time is an argument.

mod machine;
mod outcome;
mod time;

pub use machine::Machine;
pub use outcome::Outcome;
pub use time::{OwnTime, Span, StoreTime, Timestamp, WorldTime};
