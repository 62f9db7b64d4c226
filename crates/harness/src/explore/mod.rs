//! Exhaustive search: every state of a world that a scope allows, breadth first.
//!
//! What is found is shortest: levels are taken in one after the other, and inside a level in the order of the states
//! and their actions, whatever the number of threads. A state is known again by its description, of which a
//! fingerprint is kept, or all of it.

mod counterexample;
mod expand;
mod explorable;
mod graph;
mod options;
mod report;
mod scope;
mod search;
mod seen;
mod walk;

pub use explorable::{AnyExplorable, Explorable};
pub use options::{ExploreOptions, Progress};
pub use report::{Counterexample, Ending, Exploration};
pub use scope::{Scope, ScopeWords};
pub use search::explore;
