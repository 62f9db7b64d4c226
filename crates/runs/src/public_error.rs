use crate::{ErrorCode, Failure};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{borrow::Cow, fmt};

/// An error as it is answered, stored and published: rebuilt from a class, never copied from somebody's text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PublicError {
    /// The class.
    pub code: ErrorCode,
    /// The fixed message.
    pub message: Cow<'static, str>,
    /// What else may be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Details>,
}

/// What may be known beside the class.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// One of few fixed words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'static, str>>,
    /// A fresh id for asking about an internal error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_id: Option<String>,
}

impl PublicError {
    pub(crate) fn of(failure: Failure, ids: &mut ErrorIds) -> Self {
        let reason = failure.reason().map(|reason| reason.as_str().into());
        let error_id = (failure.code() == ErrorCode::Internal).then(|| ids.next());
        let details = (reason.is_some() || error_id.is_some()).then_some(Details { reason, error_id });
        Self { code: failure.code(), message: failure.code().message().into(), details }
    }

    /// The error of a run that a restart ended.
    pub(crate) fn interrupted(ids: &mut ErrorIds) -> Self {
        let details = Details { reason: Some("interrupted".into()), error_id: Some(ids.next()) };
        Self { code: ErrorCode::Internal, message: "Run interrupted".into(), details: Some(details) }
    }
}

/// Ids of internal errors, all derived from one seed that the shell draws per coordinator instance.
#[derive(Clone, Hash)]
pub(crate) struct ErrorIds {
    seed: u128,
    drawn: u64,
}

impl ErrorIds {
    pub(crate) const fn new(seed: u128) -> Self {
        Self { seed, drawn: 0 }
    }

    fn next(&mut self) -> String {
        let digest = Sha256::new()
            .chain_update(self.seed.to_be_bytes())
            .chain_update(self.drawn.to_be_bytes())
            .finalize();
        self.drawn += 1;
        digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for ErrorIds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ErrorIds({} drawn)", self.drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn shown(failure: Failure, ids: &mut ErrorIds) -> Value {
        let mut shown = json!(PublicError::of(failure, ids));
        if let Some(id) = shown.pointer_mut("/details/errorId") {
            *id = json!("<id>");
        }
        shown
    }

    /// Only the class gets out, with a reason that is one of few and was classified, and an id if it is internal.
    #[test]
    fn errors_are_rebuilt_from_their_class() {
        let pending = json!({ "reason": "approval_not_pending", "key": "sk" });
        let timeout = json!({ "code": "timeout", "message": "sk", "details": pending });
        let internal = json!({
            "code": "internal", "message": "Internal execution failure", "details": { "errorId": "<id>" },
        });
        let cases = [
            (
                Failure::with_details(ErrorCode::Conflict, &pending),
                json!({
                    "code": "conflict",
                    "message": "Run state conflict",
                    "details": { "reason": "approval_not_pending" },
                }),
            ),
            (
                Failure::with_details(ErrorCode::Upstream, &json!({ "reason": "sk" })),
                json!({ "code": "upstream", "message": "Upstream execution failed" }),
            ),
            (Failure::value(&timeout), json!({ "code": "timeout", "message": "Execution timed out" })),
            (Failure::value(&json!({ "code": "timeout" })), internal.clone()),
            (Failure::value(&json!({ "code": "sk", "message": "sk" })), internal.clone()),
            (Failure::unclassified(), internal),
        ];
        let mut ids = ErrorIds::new(1);
        for (failure, expected) in cases {
            assert_eq!(shown(failure, &mut ids), expected, "{failure:?}");
        }
    }

    /// Every id is fresh within an instance, another seed gives others, and the same seed the same.
    #[test]
    fn ids_are_fresh_and_repeatable() {
        let draw = |seed| {
            let mut ids = ErrorIds::new(seed);
            [ids.next(), ids.next()]
        };
        let (one, other) = (draw(1), draw(2));
        assert!(one[0] != one[1] && one[0] != other[0]);
        assert_eq!(one, draw(1));
    }
}
