use serde::Serialize;

/// How an engine found a planted bug.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Score {
    /// How many seeds were run until the named invariant fell for the first time.
    pub seeds: u64,
    /// How many failing seeds were looked at.
    pub samples: u32,
    /// How many seeds were run for them.
    pub seeds_run: u64,
    /// The actions of the first failing seed, as recorded.
    pub recorded: usize,
    /// The actions of the first failing seed, shrunk.
    pub shrunk: usize,
    /// The fewest actions that a failing seed was shrunk to; 0 where an engine leaves no trace of actions.
    pub best: usize,
    /// The trace with the fewest actions, as JSON; empty where an engine leaves none.
    #[serde(skip)]
    pub trace: String,
}

impl Score {
    /// How many seeds it takes to find it, on average over the samples, rounded up.
    pub fn seeds_each(&self) -> u64 {
        self.seeds_run.div_ceil(u64::from(self.samples.max(1)))
    }
}
