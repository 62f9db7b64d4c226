use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Operated, Record, Reply};

/// Absolute.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub(super) struct TerminalAbsorbing;

impl Invariant for TerminalAbsorbing {
    const INFO: InvariantInfo = InvariantInfo {
        id: "terminal-absorbing",
        promise: "A job that was reported as ended stays as it ended.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { changes, .. } = fact else { return };
        for change in *changes {
            let Some(before) = change.before.filter(|before| before.completed_at.is_some()) else { continue };
            let same =
                before.status == change.after.status && before.completed_at == change.after.completed_at;
            findings.expect(same, || ended_again(before, change.after));
        }
        if let Fact::Executed {
            reply: Reply::Operated(Operated::Refused { record: Some(record), .. }), ..
        } = fact
            && record.completed_at.is_some()
        {
            findings.could_fail();
        }
    }
}

fn ended_again(before: &Record, after: &Record) -> (String, Vec<String>) {
    let id = before.id();
    (
        format!("{id} had ended as {} and became {}", before.status.as_str(), after.status.as_str()),
        vec![id.to_string()],
    )
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;
    use crate::jobs::task::Twist;
    use holdover_jobs::Status;
    use holdover_machine::Span;

    /// An ended job that refuses another end holds; one that becomes something else, or ends again, falls.
    #[test]
    fn an_end_is_for_good() {
        let mut bench = Bench::<TerminalAbsorbing>::new();
        assert_eq!(bench.begin(0, 0), Saw::Nothing);
        assert_eq!(bench.work(0, Deed::Complete), Saw::Nothing);
        assert_eq!(bench.work(0, Deed::GiveUp), Saw::Held, "refused");
        let mut ended = bench.changed();
        let change = &mut ended.changes[0];
        change.before = Some(change.after.clone());
        let mut again = ended.clone();
        again.changes[0].after.status = Status::Queued;
        let mut later = ended;
        later.changes[0].after.completed_at =
            later.changes[0].after.completed_at.map(|at| at + Span::from_ms(1));
        for doctored in [again, later] {
            assert_eq!(bench.see_call(&doctored), Saw::Fell);
        }
    }

    /// A parked job has not ended: it may be let in.
    #[test]
    fn a_parked_job_may_be_let_in() {
        let mut bench = Bench::<TerminalAbsorbing>::new();
        bench.switch(false);
        bench.create(0, Twist::Plain);
        bench.switch(true);
        assert_eq!(bench.create(0, Twist::Plain), Saw::Nothing);
        assert_eq!(bench.changed().changes[0].after.status, Status::Queued);
    }
}
