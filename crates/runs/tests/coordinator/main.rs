//! The coordinator, input by input: its tables, and the corners beside them.

mod bench;
mod corners;
mod transitions;
