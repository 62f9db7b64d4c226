use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Change, Command, Record};

/// Absolute.
#[derive(Debug, Clone, Default)]
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
