use super::{operation::Operation, told::Told};
use crate::{Class, Violation, Violations};
use std::collections::BTreeMap;

/// What the rules found: how often each could have failed, and the first violation of each.
#[derive(Debug, Clone, Default)]
pub struct HistoryReport {
    /// How often each rule could have failed.
    pub checked: BTreeMap<&'static str, u64>,
    /// The first violation of each.
    pub violations: Violations,
    /// How often each was violated.
    pub violated: BTreeMap<&'static str, u64>,
    /// Where in the history the operation of each first violation was asked for, where it is about one.
    pub places: BTreeMap<&'static str, u64>,
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
            *self.violated.entry(rule).or_default() += 1;
            self.violations.report(rule, || {
                let (sentence, evidence) = seen();
                let invariant = rule.to_owned();
                // A history has no actions to count.
                Violation { invariant, class: Class::Safety, at_ms, step: u32::MAX, sentence, evidence }
            });
        }
    }

    /// The same of an operation on a job, whose sentence begins with it.
    pub(super) fn expect_of(
        &mut self,
        rule: &'static str,
        holds: bool,
        operation: &Operation<Told>,
        what: impl FnOnce() -> String,
    ) {
        let at = operation.returned_ms.unwrap_or(operation.invoked_ms);
        self.expect(rule, holds, at, || {
            let job = operation.value.job.as_deref().unwrap_or("a job").to_owned();
            (format!("{operation} {}", what()), vec![job])
        });
        if !holds {
            self.places.entry(rule).or_insert(operation.invoked);
        }
    }
}
