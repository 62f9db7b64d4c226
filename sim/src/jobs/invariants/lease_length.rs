use super::{ByJob, Findings, Invariant, Past};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Command;
use holdover_machine::{Span, WorldTime};

/// Promised within the clock errors of the deployment, measured in true time.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct LeaseLength {
    renewed: ByJob<(WorldTime, Span)>,
}

impl Invariant for LeaseLength {
    const INFO: InvariantInfo = InvariantInfo {
        id: "lease-length",
        promise: "A lease is not taken away before its length has passed since it was granted or renewed.",
        class: Class::Safety,
    };

    fn forget(&mut self, past: &Past<'_>) {
        for (since, length) in self.renewed.values_mut() {
            *since = (*since).max(past.now - *length);
        }
    }

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, changes, judged_at, .. } = fact else { return };
        for change in *changes {
            let number = change.after.number;
            let took = matches!(call.command, Command::Recover(_) | Command::Claim(_));
            let held = change.before.is_some_and(|before| before.lease.is_some());
            if let (true, true, Some(&(since, length))) = (took, held, self.renewed.get(&number)) {
                let passed = scene.now - since;
                let least = length - scene.promise.store_gain(length);
                findings.expect(passed >= least, || {
                    let id = change.after.id();
                    (
                        format!("the lease on {id} was granted for {length} and taken away after {passed}"),
                        vec![id.to_string()],
                    )
                });
            }
            match &change.after.lease {
                Some(lease) => self.renewed.insert(number, (scene.now, lease.expires_at - *judged_at)),
                None => self.renewed.remove(&number),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;

    /// A lease that is taken away after its length holds; before that, by more than the clock's error, it falls.
    #[test]
    fn measures_in_true_time() {
        let mut bench = Bench::<LeaseLength>::new();
        bench.begin(1, 0);
        let mut early = bench.clone();
        bench.wait(5_000);
        assert_eq!(bench.sweep(10), Saw::Held);
        let taken = bench.changed();
        let least = 5_000 - bench.promise.store_gain(bench.promise.lease).ms();
        early.wait(least - 1);
        assert_eq!(early.clone().see_call(&taken), Saw::Fell);
        early.wait(1);
        assert_eq!(early.see_call(&taken), Saw::Held);
    }
}
