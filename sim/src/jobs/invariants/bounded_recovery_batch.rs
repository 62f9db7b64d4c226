use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Answer, ServiceRequest};

/// Absolute. Recovery that takes everything at once is an outage of its own.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
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

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;

    /// A sweep that takes what it was asked to holds; one that looks at more, or takes more, falls.
    #[test]
    fn compares_with_the_limit() {
        let mut bench = Bench::<BoundedRecoveryBatch>::new();
        bench.begin(0, 0);
        bench.begin(1, 1);
        bench.wait(6_000);
        assert_eq!(bench.sweep(1), Saw::Held);
        let Some((origin, Ok(Answer::Recovered { inspected: 1, recovered }))) = bench.answer.clone() else {
            panic!("{:?}", bench.answer);
        };
        let twice = [recovered.clone(), recovered.clone()].concat();
        for (inspected, recovered) in [(2, recovered), (1, twice)] {
            let answer = Ok(Answer::Recovered { inspected, recovered });
            assert_eq!(bench.see_answer(&origin, &answer), Saw::Fell);
        }
    }
}
