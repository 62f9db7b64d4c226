use serde::Serialize;

/// How an engine found a planted bug.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Score {
    /// How many seeds, states or inputs were tried until the named invariant fell for the first time.
    pub tried: u64,
    /// How often it fell before the search was over.
    pub samples: u32,
    /// How many were tried for that.
    pub tried_in_all: u64,
    /// The actions of the first find, as recorded.
    pub recorded: usize,
    /// The actions of the first find, shrunk.
    pub shrunk: usize,
    /// The fewest actions of a find; 0 where an engine leaves no trace of actions.
    pub best: usize,
    /// The trace with the fewest actions, as JSON; empty where an engine leaves none.
    #[serde(skip)]
    pub trace: String,
}

impl Score {
    /// A find of an exhaustive search, after so many states; it is the shortest there is.
    pub fn of_states(states: u64, actions: usize, trace: String) -> Self {
        let (tried, tried_in_all) = (states, states);
        Self { tried, samples: 1, tried_in_all, recorded: actions, shrunk: actions, best: actions, trace }
    }

    /// How many tries it takes to find it, on average over the samples, rounded up.
    pub fn tried_each(&self) -> u64 {
        self.tried_in_all.div_ceil(u64::from(self.samples.max(1)))
    }
}
