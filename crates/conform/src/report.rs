use crate::{Failure, Part};
use std::fmt;

/// So many failures of a part are kept; the others are counted.
const SHOWN_MAX: usize = 5;

/// What became of all parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The parts that were run.
    pub parts: Vec<PartReport>,
}

/// What became of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartReport {
    /// The part.
    pub part: Part,
    /// How much was compared, in [`PartReport::unit`]s.
    pub compared: u64,
    /// What is counted.
    pub unit: &'static str,
    /// How many failed.
    pub failed: u64,
    /// The first of the failures.
    pub failures: Vec<Failure>,
    /// What was expected to come about and did not: the part has not tried enough.
    pub missing: Vec<String>,
}

impl Report {
    /// Whether something was compared in every part, and nothing failed or is missing.
    pub fn passed(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(PartReport::passed)
    }

    pub(crate) fn of_failure(failure: Failure) -> Self {
        let mut part = PartReport::new(Part::Vectors, "vectors");
        part.fail(failure);
        Self { parts: vec![part] }
    }
}

impl PartReport {
    pub(crate) fn new(part: Part, unit: &'static str) -> Self {
        Self { part, compared: 0, unit, failed: 0, failures: Vec::new(), missing: Vec::new() }
    }

    pub(crate) fn fail(&mut self, failure: Failure) {
        self.failed += 1;
        if self.failures.len() < SHOWN_MAX {
            self.failures.push(failure);
        }
    }

    /// Whether something was compared and nothing failed or is missing.
    pub fn passed(&self) -> bool {
        self.compared > 0 && self.failed == 0 && self.missing.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| write!(f, "{part}"))
    }
}

impl fmt::Display for PartReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, compared, unit, failed, .. } = self;
        writeln!(f, "{part:<13} {compared:>8} {unit} compared, {failed} differ")?;
        self.failures.iter().try_for_each(|failure| writeln!(f, "  {failure}"))?;
        self.missing.iter().try_for_each(|what| writeln!(f, "  never came about: {what}"))
    }
}
