use serde::Serialize;

/// How long the random engine looks for a planted bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomBudget {
    /// The first seed. Scores are taken on seeds that nobody has looked at while the mix of actions was made.
    pub first_seed: u64,
    /// The most seeds.
    pub seeds: u64,
    /// How many failing seeds are shrunk: the shortest story of them is the one that is told.
    pub samples: u32,
    /// How many replays the shrinking of one trace may take.
    pub replays: u32,
}

impl RandomBudget {
    /// The budget of the published scores.
    pub const SCORES: Self = Self { first_seed: 1_000_000_001, seeds: 400_000, samples: 20, replays: 5_000 };
}

/// How the random engine found a planted bug.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RandomScore {
    /// How many seeds were run until the named invariant fell for the first time.
    pub seeds: u64,
    /// How many failing seeds were shrunk.
    pub samples: u32,
    /// How many seeds were run for them.
    pub seeds_run: u64,
    /// The actions of the first failing seed, as recorded.
    pub recorded: usize,
    /// The actions of the first failing seed, shrunk.
    pub first: usize,
    /// The fewest actions that a failing seed was shrunk to.
    pub best: usize,
    /// The shortest trace, as JSON.
    #[serde(skip)]
    pub trace: String,
}
