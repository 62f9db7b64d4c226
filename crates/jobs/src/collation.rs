//! The order of job ids among jobs created in the same millisecond: a locale's order, fixed for every locale.

use crate::text::Text;
use std::cmp::Ordering;

/// A job id as the claim order compares it: without case first, by `_ < - < : < 0..9 < a..z` with a proper
/// prefix first; if that is equal, the first place where the case differs decides, small letter first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CollatedId(pub(crate) Text);

impl Ord for CollatedId {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right) = (self.0.bytes(), other.0.bytes());
        let caseless = left.clone().map(rank).cmp(right.clone().map(rank));
        caseless.then_with(|| {
            left.map(|byte| byte.is_ascii_uppercase()).cmp(right.map(|byte| byte.is_ascii_uppercase()))
        })
    }
}

impl PartialOrd for CollatedId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn rank(byte: u8) -> u8 {
    match byte {
        b'_' => 0,
        b'-' => 1,
        b':' => 2,
        _ => byte.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The documented order, smallest first.
    #[test]
    fn orders_as_documented() {
        let ordered = ["_", "-", ":", "0", "9", "a", "A", "aa", "aA", "Aa", "ab", "B", "z"];
        let mut ids: Vec<CollatedId> = ordered.iter().rev().map(|id| CollatedId((*id).into())).collect();
        ids.sort();
        assert_eq!(ids.iter().map(|id| &*id.0).collect::<Vec<_>>(), ordered);
    }
}
