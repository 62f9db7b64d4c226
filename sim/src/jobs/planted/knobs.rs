//! Every weakness of the original by itself: the hardened rules without one knob.

use crate::jobs::evidence::{EVIDENCE, Evidence};
use holdover::Planted;
use holdover_jobs::{KNOBS, Knob};

/// A planted bug for each line of the evidence.
pub(super) fn catalogue() -> impl Iterator<Item = Planted> {
    EVIDENCE.iter().filter_map(|evidence| {
        let knob = knob(evidence.knob)?;
        Some(planted(evidence, knob))
    })
}

/// The knob of this name.
pub(super) fn knob(id: &str) -> Option<&'static Knob> {
    KNOBS.iter().find(|knob| knob.id == id)
}

fn planted(evidence: &Evidence, knob: &Knob) -> Planted {
    Planted {
        id: evidence.knob,
        about: format!("Left out: {}", knob.doc),
        class: evidence.class,
        source: knob.weakness,
        invariant: evidence.invariant,
        masked_by: evidence.masked_by,
    }
}
