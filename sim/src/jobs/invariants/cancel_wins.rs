use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Command, Operated, Reply, Status};
use std::collections::BTreeSet;

/// Absolute: in store order, after a cancel the job has one end.
#[derive(Debug, Clone, Default)]
pub(super) struct CancelWins {
    accepted: BTreeSet<u32>,
}

impl Invariant for CancelWins {
    const INFO: InvariantInfo = InvariantInfo {
        id: "cancel-wins",
        promise: "Once a cancel was accepted, the job is not handed out, not started, and ends as cancelled.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, reply, changes, .. } = fact else { return };
        if let (Command::Cancel(_), Reply::Operated(Operated::Applied { record, .. })) =
            (&call.command, reply)
        {
            self.accepted.insert(record.number);
        }
        for change in changes.iter().filter(|change| self.accepted.contains(&change.after.number)) {
            let before = change.before.map(|before| before.status);
            let allowed = match change.after.status {
                Status::Cancelled => true,
                // A worker that runs it may go on until it hears of the cancel.
                Status::Running => before == Some(Status::Running),
                _ => false,
            };
            findings.expect(allowed, || {
                let id = change.after.id();
                (
                    format!("{id} became {} after its cancel was accepted", change.after.status.as_str()),
                    vec![id.to_string()],
                )
            });
        }
    }
}
