//! The store contract on plain records: for a store that can keep jobs and find them in order, but knows nothing of
//! leases.
//!
//! A [`Step`] carries out one command. It says what it must know ([`Need`]), is told what was [`Found`], and answers
//! with the reply and the [`Changes`] that the store must make, all or none, if its [`Condition`]s still hold. What a
//! command means is [`Table`](crate::Table) here as everywhere: a step works on a small table of what was found.
//!
//! ```text
//!   Step::new ──▶ needs() ──▶ store reads ──▶ found() ──▶ needs() ... none
//!                                                           └──▶ carry_out() ──▶ reply, changes ──▶ store commits
//! ```

mod changes;
mod kept;
mod last_claim;
mod need;
mod step;
mod working;

pub use changes::{Changed, Changes, Condition};
pub use kept::Kept;
pub use last_claim::LastClaim;
pub use need::{Found, Need};
pub use step::Step;
