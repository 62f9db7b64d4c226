use crate::{Attempt, Candidate, EXECUTOR_TYPE, ExecutionOwner, Run, RunStatus};

/// A run and an attempt as read together in one transaction, usable by the pass.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// The run.
    pub run: Run,
    /// The attempt.
    pub attempt: Attempt,
}

impl Snapshot {
    /// The snapshot rule: what was read is a snapshot only if the attempt is still the candidate that was listed,
    /// active, a local process of a step, in a running run that this runtime owns and nobody wants cancelled.
    pub fn of(candidate: &Candidate, run: Option<Run>, attempt: Option<Attempt>) -> Option<Self> {
        let (run, attempt) = (run?, attempt?);
        let run_qualifies = run.status == RunStatus::Running
            && run.execution_owner == ExecutionOwner::Runtime
            && run.cancel_requested_at.is_none();
        let attempt_qualifies = attempt.run_id == run.id
            && attempt.step_run_id.as_deref().is_some_and(|id| !id.is_empty())
            && attempt.executor_type == EXECUTOR_TYPE
            && attempt.status.is_active()
            && attempt.created_at == candidate.attempt_created_at;
        (run_qualifies && attempt_qualifies).then_some(Self { run, attempt })
    }
}
