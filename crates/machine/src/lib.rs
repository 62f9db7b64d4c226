//! What every protocol crate shares, and nothing else: the shape of a participant without IO, the types of
//! time, the three outcomes of a call through a port, values that must not be shown, and the loop that joins a
//! machine to its ports.
//!
//! A protocol crate depends on this one and on codecs. It never reads a clock, draws a number or waits: what
//! happens comes in as an input, what it wants done goes out as an effect, and time is an argument.

mod clone;
mod drive;
mod machine;
mod outcome;
mod secret;
mod time;

pub use drive::{Ports, drive};
pub use machine::Machine;
pub use outcome::Outcome;
pub use secret::Secret;
pub use time::{ClockKind, Instant, OwnTime, Span, StoreTime, Timestamp, WorldTime};
