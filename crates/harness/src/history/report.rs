use crate::{Class, Violation, Violations};
use std::collections::BTreeMap;

/// What the rules found: how often each could have failed, and the first violation of each.
#[derive(Debug, Clone, Default)]
pub struct HistoryReport {
    /// How often each rule could have failed.
    pub checked: BTreeMap<&'static str, u64>,
    /// The first violation of each.
    pub violations: Violations,
}

impl HistoryReport {
    /// A rule could have failed at this time, and has if the condition does not hold: then `seen` says what was seen,
    /// and the names that the sentence argues about.
    pub fn expect(
        &mut self,
        rule: &'static str,
        holds: bool,
        at_ms: i64,
        seen: impl FnOnce() -> (String, Vec<String>),
    ) {
        *self.checked.entry(rule).or_default() += 1;
        if !holds {
            self.violations.report(rule, || {
                let (sentence, evidence) = seen();
                let invariant = rule.to_owned();
                // A history has no actions to count.
                Violation { invariant, class: Class::Safety, at_ms, step: u32::MAX, sentence, evidence }
            });
        }
    }
}
