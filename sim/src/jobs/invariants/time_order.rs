use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};

/// Absolute: a store whose clock goes back must not let its records go back.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct TimeOrder;

impl Invariant for TimeOrder {
    const INFO: InvariantInfo = InvariantInfo {
        id: "time-order",
        promise: "The times in a job's log never go back.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { changes, .. } = fact else { return };
        for change in changes.iter().filter(|change| !change.events.is_empty()) {
            let from = change.log.len() - change.events.len();
            let recent = &change.log[from.saturating_sub(1)..];
            findings.expect(recent.windows(2).all(|pair| pair[0].at <= pair[1].at), || {
                let (id, last) = (change.after.id(), recent[recent.len() - 1].at);
                (format!("the log of {id} goes back from {} to {last}", recent[0].at), vec![id.to_string()])
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::task::Twist;
    use holdover_machine::Span;

    /// Times that rise or stand still hold; an event before the one that was there falls.
    #[test]
    fn the_log_never_goes_back() {
        let mut bench = Bench::<TimeOrder>::new();
        assert_eq!(bench.create(0, Twist::Plain), Saw::Held);
        assert_eq!(bench.claim(0), Saw::Held, "at the same time");
        let mut back = bench.changed();
        let log = &mut back.changes[0].log;
        log[1].at = log[0].at - Span::from_ms(1);
        assert_eq!(bench.see_call(&back), Saw::Fell);
    }
}
