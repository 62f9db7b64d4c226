use std::fmt;

/// A part of conformance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The golden vectors of the job protocol.
    Vectors,
    /// Random histories, call by call.
    Differential,
    /// Calls made at once.
    Concurrent,
    /// The bounds of what can be stored.
    Edges,
}

impl Part {
    /// Every part, in the order in which they are run.
    pub const ALL: [Self; 4] = [Self::Vectors, Self::Edges, Self::Differential, Self::Concurrent];
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Vectors => "vectors",
            Self::Differential => "differential",
            Self::Concurrent => "concurrent",
            Self::Edges => "edges",
        })
    }
}
