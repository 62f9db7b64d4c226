use std::borrow::Cow;

/// A value that breaks a rule of the wire or of the journal: where, and what would be right.
///
/// It never carries the value itself, which may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{at}: {rule}")]
#[non_exhaustive]
pub struct Invalid {
    /// The member that is wrong, by its wire name.
    pub at: Cow<'static, str>,
    /// What the member has to be.
    pub rule: Cow<'static, str>,
}

impl Invalid {
    pub(crate) fn new(at: impl Into<Cow<'static, str>>, rule: impl Into<Cow<'static, str>>) -> Self {
        Self { at: at.into(), rule: rule.into() }
    }

    /// A JSON text that does not even have the members and types of a `what`. The parser's own message may
    /// quote the input, so only the place is kept.
    pub(crate) fn unreadable(what: &'static str, error: &serde_json::Error) -> Self {
        let at = format!("{what}, line {} column {}", error.line(), error.column());
        Self::new(at, "must be a JSON object with the members and types that the protocol lists")
    }
}
