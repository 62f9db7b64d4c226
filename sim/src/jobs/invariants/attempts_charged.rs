use super::{ByJob, Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Status;

/// Absolute. A job whose leases were lost before anybody began is not out of attempts.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct AttemptsCharged {
    starts: ByJob<u32>,
}

impl Invariant for AttemptsCharged {
    const INFO: InvariantInfo = InvariantInfo {
        id: "attempts-charged",
        promise: "A job is given up as timed out only after it was started as often as its client allows.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { changes, .. } = fact else { return };
        for change in *changes {
            let before = change.before.map(|before| before.status);
            let starts = self.starts.entry(change.after.number).or_default();
            match (before, change.after.status) {
                (Some(Status::Leased), Status::Running) => *starts += 1,
                (Some(Status::Leased | Status::Running), Status::TimedOut) => {
                    let (starts, max) = (*starts, change.after.spec.attempts_max);
                    findings.expect(starts >= max, || {
                        let id = change.after.id();
                        (format!("{id} timed out after {starts} starts of {max}"), vec![id.to_string()])
                    });
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::task::Twist;

    /// A job that was started as often as allowed may time out; one that was never started may not.
    #[test]
    fn counts_starts_before_a_time_out() {
        let mut bench = Bench::<AttemptsCharged>::new();
        bench.begin(0, 0);
        bench.wait(6_000);
        assert_eq!(bench.sweep(10), Saw::Held);

        bench.create(2, Twist::Plain);
        bench.claim(1);
        bench.wait(6_000);
        assert_eq!(bench.sweep(10), Saw::Nothing);
        let mut lost = bench.changed();
        lost.changes[0].after.status = Status::TimedOut;
        assert_eq!(bench.see_call(&lost), Saw::Fell);
    }
}
