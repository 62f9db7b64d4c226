//! The bodies of the fuzz targets: bytes are read as something to do, and what comes of it is judged. Any bytes are
//! an input; the same bytes do the same. The committed inputs of `fuzz/seeds` go through here as ordinary tests.

mod actions;
mod bytes;
mod commands;
mod outcome;
mod request;

pub(super) use actions::broken_world;
pub use actions::fuzz_world;
pub use commands::fuzz_commands;
pub use outcome::{Broken, Outcome};
pub use request::fuzz_request;
