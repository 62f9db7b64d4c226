//! What was acknowledged before it was safe.

use super::Bug;
use super::flaw::{Crashed, Flaw, amend};
use crate::jobs::node::Node;

pub(super) const BUGS: &[Bug] = &[Bug {
    id: "acknowledged-before-sync",
    about: "A change is acknowledged before it is synced, and a crash of the store takes it back.",
    class: "durability",
    source: "B53",
    invariant: "no-lost-job",
    masked_by: None,
    flaw: Flaw { crash: Some(last_change_lost), ..Flaw::NONE },
}];

fn last_change_lost(node: Node, crashed: &mut Crashed<'_>) {
    if let (Node::Store, Some((_, Some(before)))) = (node, crashed.last_change) {
        let before = before.clone();
        amend(crashed.table, &before, |_, _| {});
    }
}
