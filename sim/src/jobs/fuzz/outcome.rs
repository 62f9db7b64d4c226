use holdover::Violations;
use std::fmt;

/// What became of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How much of it had an effect: an input that does nothing tests nothing.
    pub applied: u32,
    /// What it has broken first.
    pub broken: Option<Broken>,
}

/// A rule that was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Its name: that of an invariant, where one has fallen.
    pub rule: String,
    /// What was seen.
    pub sentence: String,
}

impl Outcome {
    /// What the invariants have found.
    pub(super) fn of(applied: u32, violations: &Violations) -> Self {
        let first = violations.iter().next();
        let broken = first.map(|found| Broken::new(&found.invariant, &found.sentence));
        Self { applied, broken }
    }
}

impl Broken {
    pub(super) fn new(rule: &str, sentence: &str) -> Self {
        Self { rule: rule.to_owned(), sentence: sentence.to_owned() }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.sentence)
    }
}
