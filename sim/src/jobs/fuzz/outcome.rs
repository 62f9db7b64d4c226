use holdover::Violations;

/// What became of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How much of it had an effect: an input that does nothing tests nothing.
    pub applied: u32,
    /// What it has broken, in a sentence that begins with the name of the rule.
    pub broken: Option<String>,
}

impl Outcome {
    /// What the invariants have found.
    pub(super) fn of(applied: u32, violations: &Violations) -> Self {
        let sentence = violations.iter().next();
        let broken = sentence.map(|found| format!("{}: {}", found.invariant, found.sentence));
        Self { applied, broken }
    }
}
