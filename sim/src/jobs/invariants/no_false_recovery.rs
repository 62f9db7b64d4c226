use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Command;

/// By the clock that judges: recovery sees the renewal that the store has acknowledged.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct NoFalseRecovery;

impl Invariant for NoFalseRecovery {
    const INFO: InvariantInfo = InvariantInfo {
        id: "no-false-recovery",
        promise: "No lease is taken away while its last acknowledged renewal still has time left.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, changes, judged_at, .. } = fact else { return };
        if !matches!(call.command, Command::Recover(_) | Command::Claim(_)) {
            return;
        }
        for change in *changes {
            let Some(lease) = change.before.and_then(|before| before.lease.as_ref()) else { continue };
            findings.expect(lease.expires_at <= *judged_at, || {
                let id = change.after.id();
                let left = lease.expires_at - *judged_at;
                (
                    format!("the lease of {} on {id} was taken away with {left} left", lease.worker),
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
    use holdover_machine::Span;

    /// A lease may be taken away from its last instant on, by a sweep or in a claim, and not before.
    #[test]
    fn looks_at_the_last_renewal() {
        let mut bench = Bench::<NoFalseRecovery>::new();
        bench.begin(1, 0);
        let mut in_claim = bench.clone();
        bench.wait(5_000);
        assert_eq!(bench.sweep(10), Saw::Held);
        in_claim.wait(5_000);
        assert_eq!(in_claim.claim(1), Saw::Held);
        for mut taken in [bench.changed(), in_claim.changed()] {
            taken.judged_at = taken.judged_at - Span::from_ms(1);
            assert_eq!(bench.see_call(&taken), Saw::Fell);
        }
    }
}
