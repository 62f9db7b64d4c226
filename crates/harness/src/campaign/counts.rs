use serde::{Serialize, Serializer};

/// Counts by name, in the order of the catalogue; names that were never met stand there with 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts(Vec<(&'static str, u64)>);

impl Counts {
    pub(crate) fn new(names: impl Iterator<Item = &'static str>, counts: &[u64]) -> Self {
        let counts = counts.iter().copied().chain(std::iter::repeat(0));
        Self(names.zip(counts).collect())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().copied()
    }

    /// The count of a name, 0 for one that is not in the catalogue.
    pub fn of(&self, name: &str) -> u64 {
        self.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| count)
    }

    /// The names that were never met.
    pub fn zeros(&self) -> Vec<&'static str> {
        self.iter().filter(|(_, count)| *count == 0).map(|(name, _)| name).collect()
    }
}

/// As a JSON object: name to count.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
