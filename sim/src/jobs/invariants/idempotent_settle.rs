use super::{Findings, Invariant};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Action, Command, Operated, PastAttempt, Reply};
use std::collections::BTreeSet;

/// Absolute. A worker that cannot tell its own success from a conflict does the work again.
#[derive(Debug, Clone, Default)]
pub(super) struct IdempotentSettle {
    done: BTreeSet<(u32, u32, Action)>,
}

impl Invariant for IdempotentSettle {
    const INFO: InvariantInfo = InvariantInfo {
        id: "idempotent-settle",
        promise: "A repeated start, complete, fail or acknowledge of the same attempt is answered as the first was.",
        class: Class::Safety,
    };

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, reply, judged_at, .. } = fact else { return };
        let (Command::Operate(operate), Reply::Operated(operated)) = (&call.command, reply) else { return };
        let action = operate.change.action();
        let Some(attempt) = operate.holder.attempt else { return };
        if !matches!(action, Action::Start | Action::Complete | Action::Fail | Action::Acknowledge) {
            return;
        }
        match operated {
            Operated::Applied { record, .. } => {
                self.done.insert((record.number, attempt, action));
            }
            Operated::Refused { record: Some(record), reason } => {
                // The attempt's own token tells its worker from a stranger; a start can only be repeated while it runs.
                let own = |past: &PastAttempt| past.attempt == attempt && past.token == operate.holder.token;
                let mine = match action {
                    Action::Start => record.lease.as_ref().is_some_and(|lease| {
                        lease.attempt == attempt
                            && lease.token == operate.holder.token
                            && lease.open_for_owner(*judged_at)
                    }),
                    _ => record.past.iter().any(own),
                };
                if mine && self.done.contains(&(record.number, attempt, action)) {
                    findings.failed(|| {
                        let (id, verb) = (record.id(), action.verb());
                        (
                            format!("{verb} of {id} attempt {attempt} was carried out, and repeated it was refused: {}", reason.name()),
                            vec![id.to_string()],
                        )
                    });
                }
            }
            Operated::Refused { .. } => {}
        }
        if matches!(operated, Operated::Applied { replayed: true, .. } | Operated::Refused { .. }) {
            findings.could_fail();
        }
    }
}
