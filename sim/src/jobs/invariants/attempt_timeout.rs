use super::{ByJob, Findings, Invariant, Past};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Command, Record, Status};
use holdover_machine::StoreTime;

/// Absolute, by the clock that judges. The time-out is the one that the client asked for.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct AttemptTimeout {
    started: ByJob<StoreTime>,
}

impl Invariant for AttemptTimeout {
    const INFO: InvariantInfo = InvariantInfo {
        id: "attempt-timeout",
        promise: "No operation of a started attempt succeeds once its time-out has passed; an unstarted one is not renewed.",
        class: Class::Safety,
    };

    fn forget(&mut self, past: &Past<'_>) {
        let runs = |job| past.table.job(job).is_some_and(|(record, _)| record.status == Status::Running);
        self.started.retain(|job, _| runs(*job));
    }

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, changes, judged_at, .. } = fact else { return };
        for change in *changes {
            let number = change.after.number;
            let before = change.before.map(|before| before.status);
            // An attempt without a start has no time-out, and must end with the lease that it was granted.
            if let (Command::Operate(_), Some(Status::Leased), Status::Leased) =
                (&call.command, before, change.after.status)
            {
                let ends = |record: &Record| record.lease.as_ref().map(|lease| lease.expires_at);
                findings.expect(ends(change.after) <= change.before.and_then(ends), || {
                    let id = change.after.id();
                    (format!("the lease on {id} was renewed before its start"), vec![id.to_string()])
                });
            }
            if let (Command::Operate(operate), Some(Status::Running), Some(&started)) =
                (&call.command, before, self.started.get(&number))
            {
                let timeout = change.after.spec.timeout;
                findings.expect(*judged_at < started + timeout, || {
                    let (id, verb) = (change.after.id(), operate.change.action().verb());
                    let passed = *judged_at - started;
                    (
                        format!(
                            "{verb} of {id} succeeded {passed} after its start, with a time-out of {timeout}"
                        ),
                        vec![id.to_string()],
                    )
                });
            }
            if change.after.status == Status::Running && before == Some(Status::Leased) {
                self.started.insert(number, *judged_at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;
    use holdover_machine::Span;

    /// A heartbeat within the time-out holds; the same one at its end falls.
    #[test]
    fn judges_by_the_start() {
        let mut bench = Bench::<AttemptTimeout>::new();
        assert_eq!(bench.begin(0, 0), Saw::Nothing);
        assert_eq!(bench.work(0, Deed::Heartbeat), Saw::Held);
        let mut late = bench.changed();
        late.judged_at = late.judged_at + Span::from_ms(5_999);
        assert_eq!(bench.see_call(&late), Saw::Held);
        late.judged_at = late.judged_at + Span::from_ms(1);
        assert_eq!(bench.see_call(&late), Saw::Fell);
    }
}
