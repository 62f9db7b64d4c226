use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Absolute: change and event are one step.
#[derive(Debug, Clone, Default)]
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
