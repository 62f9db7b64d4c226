use serde::Serialize;
use std::fmt;

/// Up to which size of an error an invariant held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Limit {
    /// It falls without any error.
    None {
        /// The first seed that violates it.
        seed: u64,
    },
    /// It fell at one size of the ladder, and held at all below.
    Between {
        /// The largest size at which it held.
        passes: i64,
        /// The smallest size at which it fell.
        falls: i64,
        /// The first seed that violates it there.
        seed: u64,
    },
    /// It held at every size up to the last. That says nothing of larger ones.
    AtLeast {
        /// The last size.
        cap: i64,
    },
}

impl Limit {
    /// How far it reaches, to compare two by: the larger the better.
    pub fn reach(self) -> i64 {
        match self {
            Self::None { .. } => -1,
            Self::Between { passes, .. } => passes,
            Self::AtLeast { cap } => cap,
        }
    }
}

/// `none`, `passes / falls`, or `>= cap`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None { .. } => f.pad("none"),
            Self::Between { passes, falls, .. } => f.pad(&format!("{passes} / {falls}")),
            Self::AtLeast { cap } => f.pad(&format!(">= {cap}")),
        }
    }
}
