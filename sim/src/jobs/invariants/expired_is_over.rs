use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Command, Operated, Reply};

/// Absolute, by the clock that judges.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct ExpiredIsOver;

impl Invariant for ExpiredIsOver {
    const INFO: InvariantInfo = InvariantInfo {
        id: "expired-is-over",
        promise: "No operation of a worker succeeds once its lease is over.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, reply, changes, judged_at, .. } = fact else { return };
        let Command::Operate(operate) = &call.command else { return };
        if let Reply::Operated(Operated::Refused { record: Some(record), .. }) = reply {
            if record.lease.as_ref().is_some_and(|lease| !lease.open_for_owner(*judged_at)) {
                findings.could_fail();
            }
            return;
        }
        for change in *changes {
            let Some(lease) = change.before.and_then(|before| before.lease.as_ref()) else { continue };
            findings.expect(*judged_at < lease.expires_at, || {
                let (id, verb) = (change.after.id(), operate.change.action().verb());
                let late = *judged_at - lease.expires_at;
                (
                    format!("{verb} of {id} by {} succeeded {late} after its lease was over", lease.worker),
                    vec![id.to_string(), lease.worker.to_string()],
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

    /// An operation in time holds, one that was too late and refused as well; one that was carried out falls.
    #[test]
    fn an_operation_after_the_end_falls() {
        let mut bench = Bench::<ExpiredIsOver>::new();
        assert_eq!(bench.begin(0, 0), Saw::Held);
        let mut late = bench.changed();
        bench.wait(5_000);
        assert_eq!(bench.work(0, Deed::Complete), Saw::Held, "refused");
        late.judged_at = bench.table.judged_at();
        assert_eq!(bench.see_call(&late), Saw::Fell);
    }

    /// A refusal that has nothing to do with the end of a lease says nothing.
    #[test]
    fn another_refusal_does_not_count() {
        let mut bench = Bench::<ExpiredIsOver>::new();
        bench.begin(0, 0);
        bench.work(0, Deed::Complete);
        assert_eq!(bench.work(0, Deed::GiveUp), Saw::Nothing);
    }
}
