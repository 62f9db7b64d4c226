use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Promised once faults stop. The bounds are formulas over lease, back-off, sweep and delay.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
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

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::task::Twist;
    use holdover_machine::Span;

    /// Both bounds: who is done in time holds, and a job that is still held, or has not ended, falls.
    #[test]
    fn falls_on_who_is_stuck() {
        let mut bench = Bench::<EventualRecovery>::new();
        bench.create(0, Twist::Plain);
        let record = bench.changed().changes.remove(0).after;
        let (took, bound) = (Span::from_ms(900), Span::from_ms(1_000));
        for (stuck, saw) in [(None, Saw::Held), (Some(&record), Saw::Fell)] {
            assert_eq!(bench.see(&Fact::Recovered { took, bound, stuck }), saw);
            assert_eq!(bench.see(&Fact::Converged { took, bound, stuck }), saw);
        }
        assert_eq!(bench.see(&Fact::Healing), Saw::Nothing);
    }
}
