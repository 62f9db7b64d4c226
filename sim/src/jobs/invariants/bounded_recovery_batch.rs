use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Answer, ServiceRequest};

/// Absolute. Recovery that takes everything at once is an outage of its own.
#[derive(Debug, Clone, Default)]
pub(super) struct BoundedRecoveryBatch;

impl Invariant for BoundedRecoveryBatch {
    const INFO: InvariantInfo = InvariantInfo {
        id: "bounded-recovery-batch",
        promise: "A sweep takes away no more leases than it was asked to.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Answered { origin, answer: Ok(Answer::Recovered { inspected, recovered }) } = fact else {
            return;
        };
        let ServiceRequest::Recover { limit } = &*origin.request else { return };
        findings.expect(*inspected <= *limit as usize && recovered.len() <= *inspected, || {
            (
                format!("a sweep of at most {limit} looked at {inspected} and took {}", recovered.len()),
                vec![origin.from.to_string()],
            )
        });
    }
}
