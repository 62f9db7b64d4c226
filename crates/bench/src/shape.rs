use std::fmt;

/// How workers take jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A claim, then a completion.
    Single,
    /// Each completion with the next claim, in one call.
    Fused,
    /// A claim of several jobs, then the completion of them all.
    Batch,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Single, Self::Fused, Self::Batch];

    /// How many jobs are in a worker's hands at once.
    pub fn jobs(self) -> u64 {
        match self {
            Self::Single | Self::Fused => 1,
            Self::Batch => 10,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Single => "single",
            Self::Fused => "fused",
            Self::Batch => "batch",
        })
    }
}
