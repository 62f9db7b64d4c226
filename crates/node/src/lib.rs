//! Shells that run the job protocol's machines: they read clocks, draw secrets and move bytes, and decide nothing.
//!
//! ```text
//!   Client ─┐                                              ┌─ StoreNode ── Store
//!           ├── frames ──▶ JobService ── Store (or RemoteStore ── frames ──▶)
//!   run_worker ─┘              ▲
//!                              └── sweep
//! ```
//!
//! Everything on a wire is a *frame*: a length of four bytes, most significant first, and so many bytes of JSON. A
//! connection carries one request at a time; who wants more opens more. A request that was sent and not answered may
//! have been carried out, and nothing here takes that for a failure: a [`Client`] repeats it, because the operations
//! of the protocol are idempotent, and so duplicates are an everyday event.
//!
//! The same source is built twice: on tokio, and (feature `sim`, in a twin package) on a simulated runtime in which
//! time, network and crashes follow a seed. What differs between the two is the runtime alone.

#[cfg(all(feature = "sim", not(madsim)))]
compile_error!(
    "the simulated shells need `--cfg madsim`; RUSTFLAGS in the environment replaces .cargo/config.toml"
);

mod client;
mod clock;
mod draw;
mod frame;
mod peer;
mod remote_store;
mod server;
mod service;
mod store_node;
mod sweeper;
mod watch;
mod worker;

pub use client::{CallError, Client, Patience, Refused};
pub use clock::{Clock, SystemClock};
pub use draw::{draw_incarnation, draw_job_id, draw_token};
pub use frame::{FRAME_BYTES_MAX, FrameError, read_frame, write_frame};
pub use peer::{ExchangeError, Peer, Response};
pub use remote_store::RemoteStore;
pub use server::{Handler, serve};
pub use service::{JobRequest, JobService};
pub use store_node::StoreNode;
pub use sweeper::sweep;
pub use watch::Watch;
pub use worker::{Failure, Pace, Task, Touch, Work, run_worker};
