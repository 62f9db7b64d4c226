use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Answer, JobId, JobResult, LeaseOperation, ServiceRequest};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Absolute in a store that keeps what it has acknowledged.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct NoLostJob {
    jobs: BTreeSet<JobId>,
    results: BTreeMap<JobId, Arc<JobResult>>,
}

impl Hash for NoLostJob {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.jobs.hash(state);
        for (job, result) in &self.results {
            (job, &result.summary).hash(state);
        }
    }
}

impl Invariant for NoLostJob {
    const INFO: InvariantInfo = InvariantInfo {
        id: "no-lost-job",
        promise: "A job that was acknowledged stays known, and so does a result that was acknowledged.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        match fact {
            Fact::Answered { answer: Ok(Answer::Created { job, .. }), .. } => {
                self.jobs.insert(job.record.id().clone());
            }
            Fact::Answered { origin, answer: Ok(Answer::Lease { job, .. }) } => {
                if let ServiceRequest::Lease(lease) = &*origin.request
                    && let LeaseOperation::Complete { result } = &lease.operation
                {
                    self.results.insert(job.record.id().clone(), Arc::clone(result));
                }
            }
            Fact::Converged { .. } => {
                for id in &self.jobs {
                    findings.expect(scene.table.record(id).is_some(), || lost(id, "is not known any more"));
                }
                for (id, result) in &self.results {
                    let kept = scene.table.record(id).and_then(|record| record.result.as_ref());
                    findings.expect(kept == Some(result), || {
                        lost(id, "has lost the result that was acknowledged")
                    });
                }
            }
            _ => {}
        }
    }
}

fn lost(id: &JobId, how: &str) -> (String, Vec<String>) {
    (format!("{id} {how}"), vec![id.to_string()])
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;
    use holdover_jobs::{Order, Table};
    use holdover_machine::Span;

    const CONVERGED: Fact<'_> = Fact::Converged { took: Span::ZERO, bound: Span::ZERO, stuck: None };

    /// A store that keeps everything holds; one that has lost the job, or only its result, falls.
    #[test]
    fn what_was_acknowledged_stays() {
        let mut bench = Bench::<NoLostJob>::new();
        assert_eq!(bench.see(&CONVERGED), Saw::Nothing);
        bench.begin(0, 0);
        assert_eq!(bench.see(&CONVERGED), Saw::Held);
        let without_result = bench.table.clone();
        bench.work(0, Deed::Complete);
        assert_eq!(bench.see(&CONVERGED), Saw::Held);
        for table in [without_result, Table::new(Order::Fifo)] {
            bench.table = table;
            assert_eq!(bench.see(&CONVERGED), Saw::Fell);
        }
    }

    /// A job that a cancel has ended is not lost.
    #[test]
    fn a_cancelled_job_is_known() {
        let mut bench = Bench::<NoLostJob>::new();
        bench.begin(0, 0);
        bench.cancel(0);
        bench.work(0, Deed::Complete);
        assert_eq!(bench.see(&CONVERGED), Saw::Held);
    }
}
