use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Change, Command, Status};

/// Absolute. What was never started has no result and no progress.
#[derive(Debug, Clone, Default)]
pub(super) struct StartBeforeResult;

impl Invariant for StartBeforeResult {
    const INFO: InvariantInfo = InvariantInfo {
        id: "start-before-result",
        promise: "A job succeeds or reports progress only in an attempt that was started.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, changes, .. } = fact else { return };
        let Command::Operate(operate) = &call.command else { return };
        if !matches!(operate.change, Change::Complete { .. } | Change::Progress { .. }) {
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
