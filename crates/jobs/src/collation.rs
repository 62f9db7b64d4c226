//! The order of job ids among jobs created in the same millisecond: a locale's order, fixed for every locale.

use crate::JobId;
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

impl JobId {
    /// Bytes that compare as ids do in [`Order::Created`](crate::Order::Created), for a store whose index knows
    /// only bytes. Two ids never have equal ones.
    pub fn collation_key(&self) -> Vec<u8> {
        let bytes = || self.as_str().bytes();
        // No rank is 0 once it is raised, so that the end of a proper prefix comes before whatever follows it.
        let caseless = bytes().map(|byte| rank(byte) + 1);
        caseless.chain([0]).chain(bytes().map(|byte| u8::from(byte.is_ascii_uppercase()))).collect()
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
        let mut ids: Vec<JobId> = ordered.iter().rev().filter_map(|id| JobId::new(id)).collect();
        ids.sort_by_key(JobId::collation_key);
        assert_eq!(ids.iter().map(JobId::as_str).collect::<Vec<_>>(), ordered);
    }
}
