use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// A value that must not be shown: a token, an identity, the text of somebody else's error.
///
/// Its `Debug` is blank and it has no `Serialize`, so a derived one on a type that holds it does not compile.
/// The few fields that may be written anyway, because a durable record needs them, say so:
/// `#[serde(serialize_with = "Secret::write")]`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Deserialize)]
#[serde(transparent)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Hides `value`.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The hidden value, for the one who has to use it.
    pub const fn expose(&self) -> &T {
        &self.0
    }

    /// Writes the hidden value, for the fields of a durable record that must hold it.
    pub fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Serialize,
    {
        self.0.serialize(serializer)
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blank `Debug` holds for any content, also inside another type's derived one.
    #[test]
    fn debug_shows_nothing() {
        assert_eq!(format!("{:?}", Some(Secret::new("hunter2"))), "Some(Secret(..))");
    }
}
