use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Status;

/// Absolute: who reads only the log sees the job as it is.
#[derive(Debug, Clone, Default)]
pub(super) struct EventLogTruthful;

impl Invariant for EventLogTruthful {
    const INFO: InvariantInfo = InvariantInfo {
        id: "event-log-truthful",
        promise: "Replaying the log of a job gives its status.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { changes, .. } = fact else { return };
        for change in *changes {
            let told = change.log.iter().rev().find_map(|event| told(event.body.kind()));
            findings.expect(told == Some(change.after.status), || {
                let (id, told) = (change.after.id(), told.map_or("nothing", Status::as_str));
                (
                    format!("the log of {id} says {told}, and it is {}", change.after.status.as_str()),
                    vec![id.to_string()],
                )
            });
        }
    }
}

/// The status that an event of this type leaves a job in; `None` for one that leaves it as it was.
fn told(kind: &str) -> Option<Status> {
    Some(match kind {
        "executor_job_queued" | "executor_job_unblocked" => Status::Queued,
        "executor_job_blocked" => Status::Blocked,
        "executor_job_leased" => Status::Leased,
        "executor_job_started" | "executor_job_cancel_requested" => Status::Running,
        "executor_job_succeeded" => Status::Succeeded,
        "executor_job_retry_scheduled" | "executor_job_lease_recovered" => Status::Retryable,
        "executor_job_failed" => Status::Failed,
        "executor_job_timed_out" => Status::TimedOut,
        "executor_job_cancelled" => Status::Cancelled,
        _ => return None,
    })
}
