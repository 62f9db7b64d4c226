use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Operated, Record, Reply};

/// Absolute.
#[derive(Debug, Clone, Default)]
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
