use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::Text;
use std::collections::BTreeMap;

/// Absolute: the limit is judged in the step that inserts.
#[derive(Debug, Clone, Default)]
pub(super) struct AdmissionLimit {
    active: BTreeMap<Text, u64>,
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
                    *active += 1;
                    let (active, max) = (*active, scene.promise.tenant_active_max);
                    findings.expect(active <= max, || {
                        (
                            format!("tenant {tenant} has {active} active jobs of at most {max}"),
                            vec![change.after.id().to_string()],
                        )
                    });
                }
                (true, false) => *active -= 1,
                _ => {}
            }
        }
    }
}
