use holdover_machine::Timestamp;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// An attempt that may still be active, named by the listing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// The run that the attempt belongs to.
    pub run_id: String,
    /// The attempt.
    pub attempt_id: String,
    /// When the attempt was created: the same id with another creation time is another attempt.
    #[serde(rename = "attemptCreatedAtMs")]
    pub attempt_created_at: Timestamp,
}

impl Candidate {
    /// The order of a page: creation time, then attempt id.
    pub(crate) fn page_order(&self, other: &Self) -> Ordering {
        let by_id = || utf16_order(&self.attempt_id, &other.attempt_id);
        self.attempt_created_at.cmp(&other.attempt_created_at).then_with(by_id)
    }
}

/// Ids compare by UTF-16 code unit, which differs from the order of their bytes above U+FFFF.
fn utf16_order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A surrogate pair sorts before U+FF5E, although its code point is the larger one.
    #[test]
    fn ids_compare_by_code_unit() {
        assert_eq!(utf16_order("\u{1F600}", "\u{FF5E}"), Ordering::Less);
        assert_eq!("\u{1F600}".cmp("\u{FF5E}"), Ordering::Greater);
    }
}
