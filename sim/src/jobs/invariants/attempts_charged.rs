use super::{ByJob, Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Status;

/// Absolute. A job whose leases were lost before anybody began is not out of attempts.
#[derive(Debug, Clone, Default)]
pub(super) struct AttemptsCharged {
    starts: ByJob<u32>,
}

impl Invariant for AttemptsCharged {
    const INFO: InvariantInfo = InvariantInfo {
        id: "attempts-charged",
        promise: "A job is given up as timed out only after it was started as often as its client allows.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { changes, .. } = fact else { return };
        for change in *changes {
            let before = change.before.map(|before| before.status);
            let starts = self.starts.entry(change.after.number).or_default();
            match (before, change.after.status) {
                (Some(Status::Leased), Status::Running) => *starts += 1,
                (Some(Status::Leased | Status::Running), Status::TimedOut) => {
                    let (starts, max) = (*starts, change.after.spec.attempts_max);
                    findings.expect(starts >= max, || {
                        let id = change.after.id();
                        (format!("{id} timed out after {starts} starts of {max}"), vec![id.to_string()])
                    });
                }
                _ => {}
            }
        }
    }
}
