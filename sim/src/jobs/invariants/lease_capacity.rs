use super::{ByJob, Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use crate::jobs::node::Node;
use holdover::{Class, InvariantInfo};
use holdover_jobs::{LeaseToken, Record, ServiceRequest};

/// Absolute. A lost answer must not fill a worker with jobs that it does not know of.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct LeaseCapacity {
    held_by: ByJob<(Node, u32)>,
}

impl Invariant for LeaseCapacity {
    const INFO: InvariantInfo = InvariantInfo {
        id: "lease-capacity",
        promise: "A worker process never holds more leases than it declares.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { origin, changes, .. } = fact else { return };
        for change in *changes {
            let number = change.after.number;
            let token =
                |record: &Record| -> Option<LeaseToken> { Some(record.lease.as_ref()?.token.clone()) };
            let (before, after) = (change.before.and_then(token), token(change.after));
            if after.is_none() {
                self.held_by.remove(&number);
            }
            let ServiceRequest::Claim(claim) = &*origin.request else { continue };
            if after.is_none() || after == before {
                continue;
            }
            let holder = (origin.from, origin.life);
            self.held_by.insert(number, holder);
            let held = self.held_by.values().filter(|other| **other == holder).count();
            let max = claim.held_max.unwrap_or(u32::MAX) as usize;
            findings.expect(held <= max, || {
                (
                    format!("{} holds {held} leases of at most {max}", origin.from),
                    vec![origin.from.to_string()],
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;
    use crate::jobs::task::Twist;

    /// One lease of one holds, also after the last has ended; a second at the same time falls.
    #[test]
    fn counts_what_a_process_holds() {
        let mut bench = Bench::<LeaseCapacity>::new();
        bench.begin(0, 0);
        bench.work(0, Deed::Complete);
        bench.create(1, Twist::Plain);
        bench.create(2, Twist::Plain);
        assert_eq!(bench.claim(0), Saw::Held);
        assert_eq!(bench.claim(1), Saw::Held);
        let mut second = bench.changed();
        second.origin.from = Node::Worker(0);
        second.origin.life = 2;
        assert_eq!(bench.see_call(&second), Saw::Held, "another run");
        second.origin.life = 1;
        assert_eq!(bench.see_call(&second), Saw::Fell);
    }
}
