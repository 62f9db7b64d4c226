use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Promised within the clock errors of the deployment, for a worker that has just looked at its clock.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
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

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;
    use crate::jobs::node::Node;

    /// Work on a running job holds; on one that has ended it falls, unless the worker was late and stalled.
    #[test]
    fn falls_on_an_ended_job() {
        let mut bench = Bench::<NoWorkAfterEnd>::new();
        bench.begin(0, 0);
        let working = |stalled| Fact::Working { worker: Node::Worker(0), job: 0, attempt: 1, stalled };
        assert_eq!(bench.see(&working(false)), Saw::Held);
        bench.work(0, Deed::Complete);
        assert_eq!(bench.see(&working(true)), Saw::Nothing);
        assert_eq!(bench.see(&working(false)), Saw::Fell);
    }
}
