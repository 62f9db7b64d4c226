use super::{Findings, Invariant, Past};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Answer, Status};
use holdover_machine::WorldTime;

/// Absolute. Opening a gate must help those who were refused and ask again.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
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

    fn forget(&mut self, past: &Past<'_>) {
        if !self.shut && self.shut_until < past.sent_from {
            self.shut_until = WorldTime::MIN;
        }
    }

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

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::task::Twist;

    /// Who asks again after the gate has opened is let in, or it falls; who asked before that may be refused.
    #[test]
    fn an_open_gate_lets_in() {
        let mut bench = Bench::<KeyLifecycle>::new();
        bench.switch(false);
        assert_eq!(bench.create(0, Twist::Plain), Saw::Nothing);
        assert_eq!(bench.create(0, Twist::Plain), Saw::Nothing, "still shut");
        let (early, mut blocked) = bench.shown();
        assert_eq!(blocked.record.status, Status::Blocked);
        bench.switch(true);
        bench.wait(1);
        assert_eq!(bench.create(0, Twist::Plain), Saw::Held);
        let (origin, _) = bench.shown();
        let refusal = |job| Ok(Answer::Created { created: false, job });
        assert_eq!(bench.see_answer(&early, &refusal(blocked.clone())), Saw::Nothing, "sent before");
        assert_eq!(bench.see_answer(&origin, &refusal(blocked.clone())), Saw::Fell);
        let record = std::sync::Arc::make_mut(&mut blocked.record);
        record.reason = Some("executor_admission_tenant_limit".into());
        assert_eq!(bench.see_answer(&origin, &refusal(blocked)), Saw::Nothing, "another gate");
    }
}
