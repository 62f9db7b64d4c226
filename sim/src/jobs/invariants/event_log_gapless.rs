use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Absolute: change and event are one step.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct EventLogGapless;

impl Invariant for EventLogGapless {
    const INFO: InvariantInfo = InvariantInfo {
        id: "event-log-gapless",
        promise: "The events of a job are numbered 1, 2, 3, ..., and every change of its status is one of them.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { changes, .. } = fact else { return };
        for change in *changes {
            let from = change.log.len() - change.events.len();
            let numbered =
                change.events.iter().zip(from as u64 + 1..).all(|(event, number)| event.sequence == number);
            let moved = change.before.is_none_or(|before| before.status != change.after.status);
            findings.expect(numbered && (!moved || !change.events.is_empty()), || {
                let id = change.after.id();
                (
                    format!(
                        "{id} became {} and its log has {} events",
                        change.after.status.as_str(),
                        change.log.len()
                    ),
                    vec![id.to_string()],
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::task::Twist;

    /// A create with its event holds; a wrong number, and a move without an event, fall.
    #[test]
    fn numbers_are_whole_and_moves_are_told() {
        let mut bench = Bench::<EventLogGapless>::new();
        assert_eq!(bench.create(0, Twist::Plain), Saw::Held);
        assert_eq!(bench.claim(0), Saw::Held);
        let claim = bench.changed();

        let mut gap = claim.clone();
        gap.changes[0].log[1].sequence = 3;
        assert_eq!(bench.see_call(&gap), Saw::Fell);

        let mut silent = claim;
        silent.changes[0].log.pop();
        silent.changes[0].new = 0;
        assert_eq!(bench.see_call(&silent), Saw::Fell);
        silent.changes[0].before = Some(silent.changes[0].after.clone());
        assert_eq!(bench.see_call(&silent), Saw::Held, "a renewal needs no event");
    }
}
