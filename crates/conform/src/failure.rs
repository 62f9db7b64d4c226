use std::fmt;

/// Where a store did something else than the contract says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What was carried out, in one line: a vector and its step, or a seed and the number of a call.
    pub at: String,
    /// What was seen and what would have been right.
    pub what: String,
}

impl Failure {
    pub(crate) fn new(at: impl Into<String>, what: impl Into<String>) -> Self {
        Self { at: at.into(), what: what.into() }
    }

    pub(crate) fn of(at: impl Into<String>, error: &impl fmt::Display) -> Self {
        Self::new(at, error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}
