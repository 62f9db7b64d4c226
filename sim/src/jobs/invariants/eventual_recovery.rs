use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Promised once faults stop. The bounds are formulas over lease, back-off, sweep and delay.
#[derive(Debug, Clone, Default)]
pub(super) struct EventualRecovery;

impl Invariant for EventualRecovery {
    const INFO: InvariantInfo = InvariantInfo {
        id: "eventual-recovery",
        promise: "Once faults stop, every abandoned lease is taken away and every job ends within the bound.",
        class: Class::Liveness,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let (what, took, bound, stuck) = match fact {
            Fact::Recovered { took, bound, stuck } => ("is still held", took, bound, stuck),
            Fact::Converged { took, bound, stuck } => ("has not ended", took, bound, stuck),
            _ => return,
        };
        findings.expect(stuck.is_none(), || {
            let id = stuck.map_or("?", |record| record.id().as_str());
            let status = stuck.map_or("?", |record| record.status.as_str());
            (
                format!("{id} {what} ({status}) {took} after all faults stopped; the bound is {bound}"),
                vec![id.to_owned()],
            )
        });
    }
}
