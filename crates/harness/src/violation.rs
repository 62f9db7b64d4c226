use serde::{Deserialize, Serialize};

/// Which half of correctness an invariant speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Something that must never happen has happened.
    Safety,
    /// Something that must happen in the end has not happened within its bound.
    Liveness,
}

/// A broken promise: which invariant, when, and the evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// The invariant's id, e.g. `single-owner`.
    pub invariant: String,
    /// Safety or liveness.
    pub class: Class,
    /// True time of the world, in milliseconds.
    pub at_ms: i64,
    /// The number of the action that broke it.
    pub step: u32,
    /// One sentence: what was promised and what was seen.
    pub sentence: String,
    /// The names of what the sentence argues about (grants, nodes, jobs), the most telling first: the report
    /// points at the lines in which the first of them come up.
    pub evidence: Vec<String>,
}

/// The first violation of each invariant, in the order in which they came.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// Whether nothing was violated.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter()
    }

    /// The violation of this invariant, if there was one.
    pub fn of(&self, invariant: &str) -> Option<&Violation> {
        self.0.iter().find(|violation| violation.invariant == invariant)
    }

    /// Keeps the violation if it is the first of its invariant. The sentence is made only then.
    pub fn report(&mut self, invariant: &'static str, make: impl FnOnce() -> Violation) {
        if self.of(invariant).is_none() {
            self.0.push(make());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each invariant keeps its first violation, in the order in which they came.
    #[test]
    fn the_first_of_each_invariant_is_kept() {
        let mut violations = Violations::default();
        for (step, invariant) in [(3, "b"), (5, "a"), (7, "b"), (9, "a")] {
            violations.report(invariant, || Violation {
                invariant: invariant.to_owned(),
                class: Class::Safety,
                at_ms: 0,
                step,
                sentence: String::new(),
                evidence: Vec::new(),
            });
        }
        let kept: Vec<(&str, u32)> =
            violations.iter().map(|violation| (violation.invariant.as_str(), violation.step)).collect();
        assert_eq!(kept, [("b", 3), ("a", 5)]);
    }
}
