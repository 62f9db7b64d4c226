use holdover_offers::{JournalError, OfferError};
use serde_json::{Value, json};

/// How the files write an error: its class and, where there is one, its reason.
pub(super) fn error(error: &OfferError) -> Value {
    let reason = match error {
        OfferError::FenceRejected(reason) => json!(reason),
        OfferError::Journal(JournalError::Invalid(_)) => Value::Null,
        OfferError::Journal(error) => json!(journal(error)),
        OfferError::Tracker(refusal) => json!(refusal),
        // The label that the file itself gave to the failure.
        OfferError::Port(detail) => json!(detail.expose()),
        _ => Value::Null,
    };
    let mut written = json!({ "class": error.class() });
    if !reason.is_null() {
        written["reason"] = reason;
    }
    written
}

pub(super) fn journal(error: &JournalError) -> &'static str {
    match error {
        JournalError::NotOwned => "not_owned",
        JournalError::Capacity => "capacity",
        JournalError::Revision => "revision_conflict",
        JournalError::NotFound => "not_found",
        JournalError::Invalid(_) => "invalid",
        _ => "io",
    }
}
