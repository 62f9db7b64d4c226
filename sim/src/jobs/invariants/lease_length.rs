use super::{ByJob, Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Command;
use holdover_machine::{Span, WorldTime};

/// Promised within the clock errors of the deployment, measured in true time.
#[derive(Debug, Clone, Default)]
pub(super) struct LeaseLength {
    renewed: ByJob<(WorldTime, Span)>,
}

impl Invariant for LeaseLength {
    const INFO: InvariantInfo = InvariantInfo {
        id: "lease-length",
        promise: "A lease is not taken away before its length has passed since it was granted or renewed.",
        class: Class::Safety,
    };

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
