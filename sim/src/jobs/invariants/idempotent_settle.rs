use super::{Findings, Invariant, Past};
use crate::jobs::fact::{Fact, Scene};
use holdover::{Class, InvariantInfo};
use holdover_jobs::{Action, Change, Command, LeaseToken, Operate, Operated, Record, Reply};
use holdover_machine::StoreTime;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Absolute. A worker that cannot tell its own success from a conflict does the work again.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct IdempotentSettle {
    /// What was carried out, by whoever had this token.
    done: BTreeMap<(u32, u32, Action), (Change, LeaseToken)>,
}

impl Hash for IdempotentSettle {
    /// What a worker reports of an attempt is always the same, so that who and what says all.
    fn hash<H: Hasher>(&self, state: &mut H) {
        for ((job, attempt, action), (_, token)) in &self.done {
            (job, attempt, *action as u8, token).hash(state);
        }
    }
}

impl Invariant for IdempotentSettle {
    const INFO: InvariantInfo = InvariantInfo {
        id: "idempotent-settle",
        promise: "A repeated start, complete, fail or acknowledge of the same attempt is answered as the first was.",
        class: Class::Safety,
    };

    fn forget(&mut self, past: &Past<'_>) {
        self.done.retain(|_, (_, token)| past.tokens.contains(&&*token));
    }

    fn observe(&mut self, fact: &Fact<'_>, _scene: &Scene<'_>, findings: &mut Findings<'_>) {
        let Fact::Executed { call, reply, judged_at, .. } = fact else { return };
        let (Command::Operate(operate), Reply::Operated(operated)) = (&call.command, reply) else { return };
        let action = operate.change.action();
        let Some(attempt) = operate.holder.attempt else { return };
        if !matches!(action, Action::Start | Action::Complete | Action::Fail | Action::Acknowledge) {
            return;
        }
        match operated {
            Operated::Applied { record, replayed, .. } => {
                if *replayed {
                    findings.could_fail();
                }
                self.done
                    .entry((record.number, attempt, action))
                    .or_insert_with(|| (operate.change.clone(), operate.holder.token.clone()));
            }
            Operated::Refused { record: Some(record), reason } => {
                // Who says something else than the first time does not repeat it.
                let done = self.done.get(&(record.number, attempt, action));
                let repeats = done.is_some_and(|(change, token)| {
                    *change == operate.change && *token == operate.holder.token
                });
                if repeats && may_repeat(record, operate, attempt, *judged_at) {
                    findings.expect(false, || {
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
    }
}

/// Whether it is not too late: a start can only be repeated while the attempt runs.
fn may_repeat(record: &Record, operate: &Operate, attempt: u32, judged_at: StoreTime) -> bool {
    match operate.change {
        Change::Start { .. } => record
            .lease
            .as_ref()
            .is_some_and(|lease| lease.attempt == attempt && lease.open_for_owner(judged_at)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, Saw};
    use super::*;
    use crate::jobs::action::Deed;
    use holdover_jobs::Refusal;

    /// A repeat that is answered as the first was holds; one that is refused falls.
    #[test]
    fn a_repeat_is_not_refused() {
        for deed in [Deed::Start, Deed::Complete, Deed::GiveUp] {
            let mut bench = Bench::<IdempotentSettle>::new();
            bench.begin(2, 0);
            if deed != Deed::Start {
                assert_eq!(bench.work(0, deed), Saw::Nothing, "{deed:?}");
            }
            assert_eq!(bench.work(0, deed), Saw::Held, "{deed:?}");
            let mut repeat = bench.last(|executed| matches!(executed.call.command, Command::Operate(_)));
            let Reply::Operated(Operated::Applied { record, replayed: true, .. }) = &repeat.reply else {
                panic!("{:?}", repeat.reply);
            };
            let (reason, record) = (Refusal::StatusMismatch, Some(record.clone()));
            repeat.reply = Reply::Operated(Operated::Refused { reason, record });
            assert_eq!(bench.see_call(&repeat), Saw::Fell, "{deed:?}");
        }
    }

    /// What was never carried out, or said otherwise than now, may be refused.
    #[test]
    fn another_report_is_no_repeat() {
        let mut bench = Bench::<IdempotentSettle>::new();
        bench.begin(2, 0);
        bench.work(0, Deed::GiveUp);
        assert_eq!(bench.work(0, Deed::Complete), Saw::Nothing, "never carried out");
        assert_eq!(bench.work(0, Deed::Fail { delay: 0 }), Saw::Nothing, "another error");
    }

    /// A confirmed cancel is confirmed again.
    #[test]
    fn an_acknowledge_is_repeated() {
        let mut bench = Bench::<IdempotentSettle>::new();
        bench.begin(0, 0);
        bench.cancel(0);
        assert_eq!(bench.work(0, Deed::Acknowledge), Saw::Nothing);
        assert_eq!(bench.work(0, Deed::Acknowledge), Saw::Held);
    }
}
