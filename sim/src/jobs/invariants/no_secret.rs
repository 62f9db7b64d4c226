use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use crate::jobs::node::Node;
use holdover::{Class, InvariantInfo};
use holdover_jobs::Answer;

/// Absolute: a token is all that a worker needs to be believed.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct NoSecret;

impl Invariant for NoSecret {
    const INFO: InvariantInfo = InvariantInfo {
        id: "no-secret",
        promise: "A lease token is shown to nobody but the worker that it was granted to.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Answered { origin, answer: Ok(answer) } = fact else { return };
        let job = match answer {
            Answer::Created { job, .. } | Answer::Job(Some(job)) => job,
            // A worker has shown its token to be answered like this; a stranger has not.
            Answer::Lease { job, .. } if matches!(origin.from, Node::Stranger) => job,
            _ => return,
        };
        let Some(lease) = &job.record.lease else { return };
        findings.expect(job.token.is_none(), || {
            let id = job.record.id();
            (
                format!("{} was shown the token of {} for {id}", origin.from, lease.worker),
                vec![id.to_string(), lease.worker.to_string()],
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::task::Twist;

    /// A reader and a repeated create see no token, and fall when they do.
    #[test]
    fn nobody_else_sees_the_token() {
        let mut bench = Bench::<NoSecret>::new();
        assert_eq!(bench.begin(0, 0), Saw::Nothing);
        assert_eq!(bench.create(0, Twist::Plain), Saw::Held);
        assert_eq!(bench.read(0), Saw::Held);
        let (origin, mut job) = bench.shown();
        job.token = job.record.lease.as_ref().map(|lease| lease.token.clone());
        let created = Answer::Created { created: false, job: job.clone() };
        for answer in [Answer::Job(Some(job)), created] {
            assert_eq!(bench.see_answer(&origin, &Ok(answer)), Saw::Fell);
        }
    }
}
