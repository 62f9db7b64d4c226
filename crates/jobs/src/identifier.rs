//! Names that cross the wire: job ids, worker ids, executor ids, and the lease token that must not be shown.

use crate::text::{Text, trim};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most characters of a safe identifier.
pub const IDENTIFIER_UNITS_MAX: usize = 128;
/// The most characters of an executor id.
pub const EXECUTOR_UNITS_MAX: usize = 64;

/// Whether a text is a safe identifier: 1 to 128 of `a-z A-Z 0-9 : _ -`.
pub(crate) fn is_safe(text: &str) -> bool {
    (1..=IDENTIFIER_UNITS_MAX).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'-'))
}

/// An executor id by the rule for requests and adapters: trimmed, lower-cased, 1 to 64 of `a-z 0-9 _ -`
/// beginning with a letter or digit. Anything else counts as missing.
pub(crate) fn executor_id(text: &str) -> Option<Text> {
    let id = trim(text).to_lowercase();
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
    let first = id.bytes().next()?;
    (id.len() <= EXECUTOR_UNITS_MAX && first.is_ascii_alphanumeric() && id.bytes().all(allowed))
        .then(|| id.into())
}

/// A job's id: a safe identifier.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobId(Text);

impl JobId {
    /// The id in this text as it stands; `None` when it is not a safe identifier.
    pub fn new(text: &str) -> Option<Self> {
        is_safe(text).then(|| Self(text.into()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as shared text.
    pub fn text(&self) -> &Text {
        &self.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The secret that a claim hands to its worker. `Debug` does not show it and it has no `Serialize`: only
/// [`LeaseToken::reveal`] gives the text away, and only views that mean to show it and the store's wire call that.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseToken(Text);

impl LeaseToken {
    /// The token in this text; `None` when it is not a safe identifier.
    pub fn new(text: &str) -> Option<Self> {
        is_safe(text).then(|| Self(text.into()))
    }

    /// The token's text, for the wire of the worker that holds it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Writes and reads a token as its text, for `#[serde(with = "...")]` on the fields of commands and records: a store
/// process must be given the token to compare it, and whoever may read those may act as the store anyway.
pub(crate) mod revealed {
    use super::LeaseToken;
    use crate::text::Text;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(token: &LeaseToken, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(token.reveal())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<LeaseToken, D::Error> {
        let text = Text::deserialize(deserializer)?;
        LeaseToken::new(&text).ok_or_else(|| D::Error::custom("a lease token is a safe identifier"))
    }
}

/// [`revealed`] for a list of tokens.
pub(crate) mod revealed_list {
    use super::LeaseToken;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Revealed(#[serde(with = "super::revealed")] LeaseToken);

    pub(crate) fn serialize<S: Serializer>(tokens: &[LeaseToken], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(tokens.iter().cloned().map(Revealed))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<[LeaseToken]>, D::Error> {
        let tokens = Vec::<Revealed>::deserialize(deserializer)?;
        Ok(tokens.into_iter().map(|Revealed(token)| token).collect())
    }
}

impl fmt::Debug for LeaseToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LeaseToken(hidden)")
    }
}

/// One run of a worker process. A restarted worker is another incarnation: what the old one held is not its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Incarnation(pub u64);
