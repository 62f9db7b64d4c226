use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Command, Operated, Record, Reply, Status};
use std::collections::BTreeSet;

/// Absolute: in store order, after a cancel the job has one end.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct CancelWins {
    accepted: BTreeSet<u32>,
}

impl Invariant for CancelWins {
    const INFO: InvariantInfo = InvariantInfo {
        id: "cancel-wins",
        promise: "Once a cancel was accepted, the job is not handed out, not started, renewed for a grace at most, and ends as cancelled.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, reply, changes, .. } = fact else { return };
        if let (Command::Cancel(_), Reply::Operated(Operated::Applied { record, .. })) =
            (&call.command, reply)
        {
            self.accepted.insert(record.number);
        }
        for change in changes.iter().filter(|change| self.accepted.contains(&change.after.number)) {
            let before = change.before.map(|before| before.status);
            let allowed = match change.after.status {
                Status::Cancelled => true,
                // A worker that runs it may go on until it hears of the cancel.
                Status::Running => before == Some(Status::Running),
                _ => false,
            };
            let ends = |record: &Record| record.lease.as_ref().map(|lease| lease.expires_at);
            if let (Some(request), Some(before), Some(after)) =
                (&change.after.cancel, change.before.and_then(ends), ends(change.after))
            {
                let last = before.max(request.at + scene.promise.cancel_grace());
                findings.expect(after <= last, || {
                    let id = change.after.id();
                    (format!("{id} was renewed {} beyond its cancel", after - last), vec![id.to_string()])
                });
            }
            findings.expect(allowed, || {
                let id = change.after.id();
                (
                    format!("{id} became {} after its cancel was accepted", change.after.status.as_str()),
                    vec![id.to_string()],
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;
    use crate::jobs::task::Twist;

    /// A waiting job ends with its cancel; the same job leased after it falls.
    #[test]
    fn a_cancelled_job_is_not_handed_out() {
        let mut bench = Bench::<CancelWins>::new();
        assert_eq!(bench.create(0, Twist::Plain), Saw::Nothing);
        assert_eq!(bench.cancel(0), Saw::Held);
        let mut after = bench.changed();
        after.changes[0].before = Some(after.changes[0].after.clone());
        after.changes[0].after.status = Status::Leased;
        assert_eq!(bench.see_call(&after), Saw::Fell);
    }

    /// A running job may go on until it hears of the cancel, and ends as cancelled whatever was reported.
    #[test]
    fn a_running_job_ends_as_cancelled() {
        let mut bench = Bench::<CancelWins>::new();
        assert_eq!(bench.begin(0, 0), Saw::Nothing);
        assert_eq!(bench.cancel(0), Saw::Held);
        assert_eq!(bench.work(0, Deed::Heartbeat), Saw::Held);
        assert_eq!(bench.work(0, Deed::Complete), Saw::Held);
        let mut done = bench.changed();
        for (status, saw) in
            [(Status::Cancelled, Saw::Held), (Status::Succeeded, Saw::Fell), (Status::Retryable, Saw::Fell)]
        {
            done.changes[0].after.status = status;
            assert_eq!(bench.see_call(&done), saw, "{status:?}");
        }
    }
}
