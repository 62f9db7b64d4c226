/// How long an engine looks for a planted bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelftestBudget {
    /// The first seed. Scores are taken on seeds that nobody has looked at while the mix of actions was made.
    pub first_seed: u64,
    /// The most seeds.
    pub seeds: u64,
    /// How many failing seeds are shrunk: the shortest story of them is the one that is told.
    pub samples: u32,
    /// How many replays the shrinking of one trace may take.
    pub replays: u32,
}

impl SelftestBudget {
    /// For worlds of actions, of which thousands run in a second.
    pub const WORLDS: Self = Self { first_seed: 1_000_000_001, seeds: 60_000, samples: 20, replays: 5_000 };
    /// For simulations of real shells.
    pub const SHELLS: Self = Self { seeds: 200, samples: 1, ..Self::WORLDS };
}
