use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Answer;

/// Absolute: a token is all that a worker needs to be believed.
#[derive(Debug, Clone, Default)]
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
