use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// Counts by name, in the order of the catalogue; names that were never met stand there with 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts(Vec<(Cow<'static, str>, u64)>);

impl Counts {
    pub(crate) fn new(names: impl Iterator<Item = &'static str>, counts: &[u64]) -> Self {
        let counts = counts.iter().copied().chain(std::iter::repeat(0));
        Self(names.map(Cow::Borrowed).zip(counts).collect())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, count)| (&**name, *count))
    }

    /// The count of a name, 0 for one that is not in the catalogue.
    pub fn of(&self, name: &str) -> u64 {
        self.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| count)
    }

    /// The names that were never met.
    pub fn zeros(&self) -> Vec<String> {
        self.iter().filter(|(_, count)| *count == 0).map(|(name, _)| name.to_owned()).collect()
    }

    /// Whether the other counts the same things.
    pub(crate) fn has_the_names_of(&self, other: &Self) -> bool {
        self.iter().map(|(name, _)| name).eq(other.iter().map(|(name, _)| name))
    }

    /// Adds what another run has counted of the same things.
    pub(crate) fn add(&mut self, other: &Self) {
        for ((_, count), (_, more)) in self.0.iter_mut().zip(&other.0) {
            *count = count.saturating_add(*more);
        }
    }
}

/// As a JSON object: name to count.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// From a JSON object, whose order is kept.
impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(CountsVisitor)
    }
}

struct CountsVisitor;

impl<'de> Visitor<'de> for CountsVisitor {
    type Value = Counts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of names and counts")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Counts, M::Error> {
        let mut counts = Vec::new();
        while let Some((name, count)) = map.next_entry::<String, u64>()? {
            counts.push((Cow::Owned(name), count));
        }
        Ok(Counts(counts))
    }
}
