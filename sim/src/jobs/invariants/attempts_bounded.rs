use super::{ByJob, Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Status;

/// Absolute. It counts starts as the store acknowledges them, against what the client asked for.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct AttemptsBounded {
    starts: ByJob<u32>,
}

impl Invariant for AttemptsBounded {
    const INFO: InvariantInfo = InvariantInfo {
        id: "attempts-bounded",
        promise: "A job is started at most as often as its client allows.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { changes, .. } = fact else { return };
        for change in *changes {
            let started = change.after.status == Status::Running
                && change.before.is_some_and(|before| before.status == Status::Leased);
            if !started {
                continue;
            }
            let starts = self.starts.entry(change.after.number).or_default();
            *starts += 1;
            let (starts, max) = (*starts, change.after.spec.attempts_max);
            findings.expect(starts <= max, || {
                let id = change.after.id();
                (format!("{id} was started {starts} times of at most {max}"), vec![id.to_string()])
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;

    /// The one start that a job allows holds; the same start once more falls.
    #[test]
    fn counts_starts() {
        let mut bench = Bench::<AttemptsBounded>::new();
        assert_eq!(bench.begin(0, 0), Saw::Held);
        let start = bench.changed();
        assert_eq!(bench.see_call(&start), Saw::Fell);
    }
}
