use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Status;

/// Absolute: who reads only the log sees the job as it is.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
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

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;
    use crate::jobs::task::Twist;

    /// Every step of a job's life is told as it is; a record that says otherwise than its log falls.
    #[test]
    fn the_log_gives_the_status() {
        let mut bench = Bench::<EventLogTruthful>::new();
        assert_eq!(bench.begin(0, 0), Saw::Held);
        for deed in [Deed::Heartbeat, Deed::Progress, Deed::Complete] {
            assert_eq!(bench.work(0, deed), Saw::Held, "{deed:?}");
        }
        let mut done = bench.changed();
        done.changes[0].after.status = Status::Failed;
        assert_eq!(bench.see_call(&done), Saw::Fell);
        done.changes[0].log.clear();
        done.changes[0].new = 0;
        assert_eq!(bench.see_call(&done), Saw::Fell, "an empty log tells nothing");
    }

    /// Every type that the protocol's own events have is known, so that none is taken for a worker's.
    #[test]
    fn every_ending_is_told() {
        let mut bench = Bench::<EventLogTruthful>::new();
        bench.begin(2, 0);
        assert_eq!(bench.work(0, Deed::Fail { delay: 0 }), Saw::Held, "retry scheduled");
        bench.create(0, Twist::Plain);
        assert_eq!(bench.cancel(0), Saw::Held, "cancelled");
        bench.begin(1, 1);
        assert_eq!(bench.cancel(1), Saw::Held, "cancel requested");
        bench.begin(3, 2);
        bench.wait(40_000);
        assert_eq!(bench.sweep(10), Saw::Held, "recovered and timed out");
    }
}
