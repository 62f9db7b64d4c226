//! The live engine: a real store, real processes, and everything that happens to them.
//!
//! ```text
//!   worker process ─┐                     ┌─ server, killed and started again
//!   worker process ─┼── Proxy (cuts, ─────┤
//!   worker process ─┘   delays, swallows) └─ its files
//!        │ tape: what was asked and answered, a file each
//!        └──────────▶ judge: history, what was acknowledged, what is stored
//! ```
//!
//! [`torture`] starts workers as processes of the operating system ([`work`] is what one does), lets a proxy and signals
//! disturb them and the server, then makes everything well again and lets every job come to its end. [`judge`] reads
//! what the workers wrote down: the history must be linearizable, what was acknowledged must be there, and what is
//! stored must be sound.
//!
//! [`interrupt`] is the quiet sister: one call at a time, cut at every boundary.

mod draws;
mod flaw;
mod interrupt;
mod judge;
mod policy;
mod proxy;
mod tape;
mod torture;
mod unlocked;
mod worker;

pub use flaw::{Flaw, Flawed};
pub use interrupt::{Clock, Interrupted, Interruptions, interrupt};
pub use judge::{Finding, Judgement, judge};
pub use policy::policy;
pub use proxy::Proxy;
pub use tape::Tape;
pub use torture::{Counts, Options, OwnServer, Report, Target, TortureError, torture};
pub use unlocked::Unlocked;
pub use worker::{WorkerOptions, work};
