//! The planted bugs: what real programs got wrong, put into this world at a seam between its participants, to
//! show that the invariant named beforehand finds it. No protocol crate has a bug in it.
//!
//! To add one: an entry in the file of its class, with the function that is its flaw.

mod cancel;
mod catalogue;
mod claim;
mod create;
mod durability;
mod event_log;
mod fencing;
mod flaw;
mod knobs;
mod recovery;
mod retry;
mod settle;
mod stats;
mod worker;

pub(super) use catalogue::{catalogue, flaws};
pub(super) use flaw::{Acted, Crashed, Flaw, Flawed, Heard, Memory};

/// An entry of the catalogue that is no knob.
pub(super) struct Bug {
    id: &'static str,
    about: &'static str,
    class: &'static str,
    source: &'static str,
    invariant: &'static str,
    masked_by: Option<&'static str>,
    flaw: Flaw,
}
