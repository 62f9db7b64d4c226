use crate::Part;

/// How much is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The parts.
    pub parts: Vec<Part>,
    /// From which seed on histories are drawn.
    pub seed: u64,
    /// How many calls are compared one by one.
    pub calls: u64,
    /// How many calls are made at once with others.
    pub concurrent_calls: u64,
}

impl Default for Options {
    /// Every part, with few enough calls for a test.
    fn default() -> Self {
        Self { parts: Part::ALL.to_vec(), seed: 0, calls: 6_000, concurrent_calls: 3_000 }
    }
}
