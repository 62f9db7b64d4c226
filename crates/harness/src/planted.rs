use serde::Serialize;

/// A bug that a scenario can be run with, to show that it would be found. It is the variant [`Planted::variant`]
/// of its scenario.
///
/// What must find it is named beforehand: a panic, a time-out or another invariant does not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Planted {
    /// Its name.
    pub id: &'static str,
    /// What is wrong, in a sentence.
    pub about: String,
    /// Its kind: bugs of a class are made in the same place of a program.
    pub class: &'static str,
    /// Where it was seen: a weakness of the original, a public report, or neither.
    pub source: &'static str,
    /// The invariant that must fall.
    pub invariant: &'static str,
    /// Another bug that must be there for it to show: a rule that catches it otherwise.
    pub masked_by: Option<&'static str>,
}

impl Planted {
    /// What the names of variants with planted bugs begin with.
    pub const PREFIX: &'static str = "planted-";

    /// The variant with this bug alone.
    pub fn alone(&self) -> String {
        format!("{}{}", Self::PREFIX, self.id)
    }

    /// The variant in which it shows: with this bug, and with the one that takes its mask away.
    pub fn variant(&self) -> String {
        match self.masked_by {
            None => self.alone(),
            Some(other) => format!("{}{},{other}", Self::PREFIX, self.id),
        }
    }
}
