//! The engines of Holdover, generic over a [`World`].
//!
//! A world is a closed system in which the next thing to happen is an action. The engines here choose actions,
//! record them as a trace, replay and shrink traces, and count what was seen. They know no protocol.

mod observer;
mod rng;
mod scenario;
mod violation;
mod weights;
mod world;

pub use observer::{Line, Mark, Observer};
pub use rng::Rng;
pub use scenario::{Catalogue, InvariantInfo, Plan, Scenario};
pub use violation::{Class, Violation, Violations};
pub use weights::Weights;
pub use world::{Applied, Step, World};
