use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Text;
use std::collections::{BTreeMap, BTreeSet};

/// Absolute: the limit is judged in the step that inserts.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct AdmissionLimit {
    active: BTreeMap<Text, BTreeSet<u32>>,
}

impl Invariant for AdmissionLimit {
    const INFO: InvariantInfo = InvariantInfo {
        id: "admission-limit",
        promise: "No tenant ever has more active jobs than its limit.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { changes, .. } = fact else { return };
        for change in *changes {
            let Some(tenant) = change.after.tenant() else { continue };
            let active = self.active.entry(tenant.clone()).or_default();
            let before = change.before.is_some_and(|before| before.status.is_active());
            match (before, change.after.status.is_active()) {
                (false, true) => {
                    active.insert(change.after.number);
                    let (active, max) = (active.len() as u64, scene.promise.tenant_active_max);
                    findings.expect(active <= max, || {
                        (
                            format!("tenant {tenant} has {active} active jobs of at most {max}"),
                            vec![change.after.id().to_string()],
                        )
                    });
                }
                (true, false) => {
                    active.remove(&change.after.number);
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
    use crate::jobs::task::Twist;

    /// As many active jobs as allowed hold, one more falls, and one that has ended does not count.
    #[test]
    fn counts_active_jobs_of_a_tenant() {
        let mut bench = Bench::<AdmissionLimit>::new();
        assert_eq!(bench.create(0, Twist::Plain), Saw::Held);
        bench.cancel(0);
        bench.promise.tenant_active_max = 1;
        assert_eq!(bench.create(2, Twist::Plain), Saw::Held);
        assert_eq!(bench.create(1, Twist::Plain), Saw::Held, "another tenant");
        assert_eq!(bench.create(4, Twist::Plain), Saw::Fell);
    }
}
