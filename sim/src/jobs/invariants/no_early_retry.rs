use super::{ByJob, Findings, Invariant, Past};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Status;
use holdover_machine::StoreTime;

/// Promised, by the clock that judges. The least wait is the deployment's, not the worker's.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct NoEarlyRetry {
    ended: ByJob<StoreTime>,
}

impl Invariant for NoEarlyRetry {
    const INFO: InvariantInfo = InvariantInfo {
        id: "no-early-retry",
        promise: "After a lost or failed attempt, a job is not handed out again before its back-off.",
        class: Class::Safety,
    };

    fn forget(&mut self, past: &Past<'_>) {
        self.ended.retain(|_, ended| past.judged_from - *ended < past.promise.back_off);
    }

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { changes, judged_at, .. } = fact else { return };
        for change in *changes {
            let number = change.after.number;
            match change.after.status {
                Status::Retryable => {
                    self.ended.insert(number, *judged_at);
                }
                Status::Leased => {
                    let Some(ended) = self.ended.remove(&number) else { continue };
                    let waited = *judged_at - ended;
                    findings.expect(waited >= scene.promise.back_off, || {
                        let id = change.after.id();
                        (
                            format!("{id} was handed out again {waited} after its attempt ended"),
                            vec![id.to_string()],
                        )
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
    use crate::jobs::action::Deed;
    use holdover_machine::Span;

    /// A grant after the back-off holds; one just before its end falls.
    #[test]
    fn waits_for_the_back_off() {
        let mut bench = Bench::<NoEarlyRetry>::new();
        assert_eq!(bench.begin(1, 0), Saw::Nothing);
        bench.work(0, Deed::Fail { delay: 0 });
        let mut early = bench.clone();
        bench.wait(1_000);
        assert_eq!(bench.claim(0), Saw::Held);
        let mut granted = bench.changed();
        granted.judged_at = granted.judged_at - Span::from_ms(1);
        assert_eq!(early.see_call(&granted), Saw::Fell);
    }
}
