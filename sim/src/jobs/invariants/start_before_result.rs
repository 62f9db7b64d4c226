use super::{Findings, Invariant, Past};
use crate::jobs::fact::{Change, Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Change as Operation, Command, Status};
use std::collections::BTreeSet;

/// Absolute. What was never started has no result, no progress and no effect.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct StartBeforeResult {
    started: BTreeSet<(u32, u32)>,
}

impl Invariant for StartBeforeResult {
    const INFO: InvariantInfo = InvariantInfo {
        id: "start-before-result",
        promise: "A job is worked on, succeeds or reports progress only in an attempt that was started.",
        class: Class::Safety,
    };

    fn forget(&mut self, past: &Past<'_>) {
        self.started.retain(|started| past.attempts.contains(started));
    }

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        if let Fact::Working { worker, job, attempt, .. } = fact {
            findings.expect(self.started.contains(&(*job, *attempt)), || {
                let id = scene.table.job(*job).map_or("?", |(record, _)| record.id().as_str());
                (format!("{worker} works on {id} before attempt {attempt} was started"), vec![id.to_owned()])
            });
        }
        let Fact::Executed { call, changes, .. } = fact else { return };
        let starts = |change: &&Change<'_>| {
            change.before.is_some_and(|before| before.status == Status::Leased)
                && change.after.status == Status::Running
        };
        self.started
            .extend(changes.iter().filter(starts).map(|change| (change.after.number, change.after.attempts)));
        let Command::Operate(operate) = &call.command else { return };
        if !matches!(operate.change, Operation::Complete { .. } | Operation::Progress { .. }) {
            return;
        }
        for change in *changes {
            findings.expect(change.before.is_none_or(|before| before.status == Status::Running), || {
                let (id, verb) = (change.after.id(), operate.change.action().verb());
                (format!("{verb} of {id} succeeded before the attempt was started"), vec![id.to_string()])
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;

    /// Progress and result of a started attempt hold; of one that was only leased they fall.
    #[test]
    fn falls_without_a_start() {
        for deed in [Deed::Progress, Deed::Complete] {
            let mut bench = Bench::<StartBeforeResult>::new();
            assert_eq!(bench.begin(0, 0), Saw::Nothing);
            assert_eq!(bench.work(0, deed), Saw::Held, "{deed:?}");
            let mut early = bench.changed();
            early.changes[0].before.as_mut().unwrap().status = Status::Leased;
            assert_eq!(bench.see_call(&early), Saw::Fell, "{deed:?}");
        }
    }
}
