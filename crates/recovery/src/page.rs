use crate::{CANDIDATES_MAX, Candidate, time::is_record_time};
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, collections::BTreeSet};
use thiserror::Error;

/// One answer of the listing. Nothing in it is trusted before [`Page::check`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Page {
    /// The candidates, oldest first.
    pub candidates: Vec<Candidate>,
    /// Whether there are more than the page could hold.
    pub truncated: bool,
}

/// Why a page is malformed. Candidates are named by their place, because ids may not leave the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum PageError {
    /// The listing ignored the limit.
    #[error("the page holds {0} candidates; at most {CANDIDATES_MAX} were asked for")]
    TooLong(usize),
    /// An id is empty.
    #[error("candidate {0} has an empty id")]
    EmptyId(usize),
    /// A creation time is outside the range of record times.
    #[error("candidate {0} has a creation time outside 0..2^53-1 ms")]
    Time(usize),
    /// An attempt is listed twice.
    #[error("candidate {0} repeats the attempt of an earlier one")]
    Repeated(usize),
    /// The candidates are out of order.
    #[error("candidate {0} does not come after the one before it by (creation time, attempt id)")]
    Unordered(usize),
}

impl Page {
    /// Whether the page is well formed: not too long, valid candidates, distinct attempts, strictly ascending.
    pub fn check(&self) -> Result<(), PageError> {
        if self.candidates.len() > CANDIDATES_MAX {
            return Err(PageError::TooLong(self.candidates.len()));
        }
        let mut seen = BTreeSet::new();
        for (at, candidate) in self.candidates.iter().enumerate() {
            if candidate.run_id.is_empty() || candidate.attempt_id.is_empty() {
                return Err(PageError::EmptyId(at));
            }
            if !is_record_time(candidate.attempt_created_at) {
                return Err(PageError::Time(at));
            }
            if !seen.insert(&candidate.attempt_id) {
                return Err(PageError::Repeated(at));
            }
            if at > 0 && self.candidates[at - 1].page_order(candidate) != Ordering::Less {
                return Err(PageError::Unordered(at));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdover_machine::Timestamp;

    /// Run, attempt, creation time.
    type Entry<'a> = (&'a str, &'a str, i64);

    fn page(entries: &[Entry<'_>]) -> Page {
        let candidate = |&(run_id, attempt_id, ms): &Entry<'_>| Candidate {
            run_id: run_id.into(),
            attempt_id: attempt_id.into(),
            attempt_created_at: Timestamp::from_ms(ms),
        };
        Page { candidates: entries.iter().map(candidate).collect(), truncated: false }
    }

    /// Each way to be malformed is told apart, at the first place where it shows.
    #[test]
    fn malformed_pages_are_told_apart() {
        let long: Vec<String> = (0..65).map(|n| format!("a{n:03}")).collect();
        let long: Vec<Entry<'_>> = long.iter().map(|id| ("r", id.as_str(), 1)).collect();
        let cases: &[(&[Entry<'_>], Result<(), PageError>)] = &[
            (&[], Ok(())),
            (&long[..64], Ok(())),
            (&long, Err(PageError::TooLong(65))),
            (&[("r", "", 1)], Err(PageError::EmptyId(0))),
            (&[("", "a", 1)], Err(PageError::EmptyId(0))),
            (&[("r", "a", -1)], Err(PageError::Time(0))),
            (&[("r", "a", 1 << 53)], Err(PageError::Time(0))),
            (&[("r", "a", (1 << 53) - 1)], Ok(())),
            (&[("r", "a", 1), ("r", "a", 2)], Err(PageError::Repeated(1))),
            (&[("r", "b", 1), ("r", "a", 1)], Err(PageError::Unordered(1))),
            (&[("r", "a", 2), ("r", "b", 1)], Err(PageError::Unordered(1))),
            (&[("r", "b", 1), ("r", "a", 2)], Ok(())),
        ];
        for (entries, expected) in cases {
            assert_eq!(page(entries).check(), *expected, "{entries:?}");
        }
    }
}
