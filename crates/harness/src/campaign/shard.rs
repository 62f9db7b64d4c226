use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;

/// One of several processes that share the seeds of a campaign, written `2/4` for the second of four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u32,
    of: u32,
}

/// A text that names no shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected a shard i/n with 1 <= i <= n, such as 2/4")]
#[non_exhaustive]
pub struct ShardError;

impl Shard {
    /// The only one.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// So many, in their order.
    pub fn all(of: u32) -> impl Iterator<Item = Self> {
        (1..=of).map(move |index| Self { index, of })
    }

    /// How many there are.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Its part of the seeds: a range, so that all parts in their order are the whole, and differ by one at most.
    pub fn part(self, seeds: &Range<u64>) -> Range<u64> {
        let count = u128::from(seeds.end.saturating_sub(seeds.start));
        let bound = |index: u32| {
            let offset = count * u128::from(index) / u128::from(self.of);
            seeds.start + u64::try_from(offset).expect("a part ends within the whole")
        };
        bound(self.index - 1)..bound(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, of) = text.split_once('/').ok_or(ShardError)?;
        let (index, of) = (index.parse().map_err(|_| ShardError)?, of.parse().map_err(|_| ShardError)?);
        if index == 0 || index > of {
            return Err(ShardError);
        }
        Ok(Self { index, of })
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts are the whole, without a gap and without a seed twice, whatever the numbers.
    #[test]
    fn parts_are_the_whole() {
        let wholes = [1..1, 1..2, 1..11, 7..1_000_003, 0..u64::MAX, u64::MAX - 1..u64::MAX];
        for (whole, of) in wholes.iter().flat_map(|whole| [1, 2, 3, 4, 7, 1_000].map(|of| (whole, of))) {
            let parts: Vec<Range<u64>> = Shard::all(of).map(|shard| shard.part(whole)).collect();
            assert_eq!((parts[0].start, parts[parts.len() - 1].end), (whole.start, whole.end));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start), "{whole:?} by {of}");
            let sizes = || parts.iter().map(|part| part.end - part.start);
            assert!(sizes().max().unwrap_or(0) - sizes().min().unwrap_or(0) <= 1, "{whole:?} by {of}");
        }
    }

    /// What is no shard is refused.
    #[test]
    fn shards_as_text() {
        assert_eq!("2/4".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/4".to_owned()));
        for text in ["", "1", "0/4", "5/4", "1/0", "/", "a/b", "-1/4", "1/4/2", "1/4294967296"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text}");
        }
    }
}
