use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Answer, Status};
use holdover_machine::WorldTime;

/// Absolute. Opening a gate must help those who were refused and ask again.
#[derive(Debug, Clone, Default)]
pub(super) struct KeyLifecycle {
    shut_until: WorldTime,
    shut: bool,
}

impl Invariant for KeyLifecycle {
    const INFO: InvariantInfo = InvariantInfo {
        id: "key-lifecycle",
        promise: "A create that is repeated after its gate has opened is not answered blocked.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        match fact {
            Fact::Switched { open } => {
                self.shut = !open;
                self.shut_until = scene.now;
            }
            Fact::Answered { origin, answer: Ok(Answer::Created { created: false, job }) } => {
                // Only what the switch alone held back, and only when it was open from before the create was sent.
                let by_switch = job.record.reason.as_deref() == Some("executor_execution_disabled");
                let open = !self.shut && self.shut_until < origin.sent_at;
                if open && (by_switch || job.record.status == Status::Queued) {
                    findings.expect(job.record.status != Status::Blocked, || {
                        let id = job.record.id();
                        (
                            format!("{id} was asked for again with the switch on, and is still blocked"),
                            vec![id.to_string()],
                        )
                    });
                }
            }
            _ => {}
        }
    }
}
