use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Change, Command, Record};

/// Absolute.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct HeartbeatMonotone;

impl Invariant for HeartbeatMonotone {
    const INFO: InvariantInfo = InvariantInfo {
        id: "heartbeat-monotone",
        promise: "A heartbeat never makes a lease end sooner.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, changes, .. } = fact else { return };
        let Command::Operate(operate) = &call.command else { return };
        if !matches!(operate.change, Change::Heartbeat { .. }) {
            return;
        }
        for change in *changes {
            let ends = |record: &Record| record.lease.as_ref().map(|lease| lease.expires_at);
            let (Some(before), Some(after)) = (change.before.and_then(ends), ends(change.after)) else {
                continue;
            };
            findings.expect(after >= before, || {
                let id = change.after.id();
                (
                    format!("a heartbeat made the lease on {id} end {} sooner", before - after),
                    vec![id.to_string()],
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
    use holdover_machine::Span;

    /// A renewal and one that changes nothing hold; one by which the lease ends sooner falls.
    #[test]
    fn a_lease_never_shrinks() {
        let mut bench = Bench::<HeartbeatMonotone>::new();
        bench.begin(1, 0);
        bench.wait(100);
        assert_eq!(bench.work(0, Deed::Heartbeat), Saw::Held);
        let mut shorter = bench.changed();
        let before = shorter.changes[0].before.as_ref().unwrap().lease.clone().unwrap().expires_at;
        for (ms, saw) in [(0, Saw::Held), (1, Saw::Fell)] {
            shorter.changes[0].after.lease.as_mut().unwrap().expires_at = before - Span::from_ms(ms);
            assert_eq!(bench.see_call(&shorter), saw);
        }
    }
}
