//! What a job store takes: workers that claim and complete jobs of a backlog, in laps.
//!
//! A [`Bench`] keeps a store at its backlog. A [`Load`] says who works on it in a lap and how; a [`Lap`] is what they did.
//! What workers ask and are told is a history, which is checked as it grows, so that a store is not fast by being wrong.
//! Figures of two laps are worth comparing when both were taken on the same machine, in turn.

mod bench;
mod calls;
mod error;
mod history;
mod lap;
mod load;
mod notes;
mod script;
mod shape;
mod worker;

pub use bench::Bench;
pub use calls::Calls;
pub use error::BenchError;
pub use lap::{Lap, microseconds, now};
pub use load::Load;
pub use script::Script;
pub use shape::Shape;
