use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Command, Operated, Reply};

/// Absolute, by the clock that judges.
#[derive(Debug, Clone, Default)]
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
        if matches!(reply, Reply::Operated(Operated::Refused { .. })) {
            return findings.could_fail();
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
