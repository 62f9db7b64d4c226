//! The engine madsim: the very shells that run in production, on simulated time, tasks and network.
//!
//! A world of actions searches the protocol; this engine searches what such a world leaves out: frames, time-outs,
//! retries, tasks, connections that die half-way. A store node whose state survives its crashes, two services, three
//! workers, a sweeper and clients run until the faults that a seed has drawn are over and every job has ended. Then
//! the history that clients and workers have recorded goes through the rules of leases, and what the store holds
//! through checks of its structure.

#[cfg(not(madsim))]
compile_error!("this engine needs `--cfg madsim`; RUSTFLAGS in the environment replaces .cargo/config.toml");

mod client;
mod cluster;
mod fault;
mod jobs;
mod judge;
mod labour;
mod plan;
mod tape;
mod watched_store;

use holdover::{AnyScenario, Simulated};

pub use jobs::MadsimJobs;
pub use judge::judge;

/// Every scenario of this engine.
pub fn scenarios() -> Vec<&'static dyn AnyScenario> {
    static JOBS: Simulated = Simulated(&MadsimJobs);
    vec![&JOBS]
}
