use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Promised within the clock errors of the deployment, for a worker that has just looked at its clock.
#[derive(Debug, Clone, Default)]
pub(super) struct NoWorkAfterEnd;

impl Invariant for NoWorkAfterEnd {
    const INFO: InvariantInfo = InvariantInfo {
        id: "no-work-after-end",
        promise: "A worker that believes in its lease never works on a job that has ended.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Working { worker, job, attempt, stalled: false } = fact else { return };
        let Some((record, _)) = scene.table.job(*job) else { return };
        findings.expect(!record.status.is_final(), || {
            let id = record.id();
            (
                format!(
                    "{worker} works on {id} (attempt {attempt}), which has ended as {}",
                    record.status.as_str()
                ),
                vec![id.to_string(), worker.to_string()],
            )
        });
    }
}
