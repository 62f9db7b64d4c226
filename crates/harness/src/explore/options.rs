/// How to explore.
#[derive(Clone, Copy)]
pub struct ExploreOptions<'a> {
    /// The most states; the search stops there.
    pub states: u64,
    /// How many threads. They change nothing but the time.
    pub threads: usize,
    /// Whether whole descriptions are kept, so that two states can never be taken for one.
    pub exact: bool,
    /// The one invariant that is looked at; all, if none is named.
    pub only: Option<&'a str>,
    /// Told how far the search is, again and again; it stops when the answer is no.
    pub watch: &'a (dyn Fn(Progress) -> bool + 'a),
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// How many actions the level is away from the start whose states are being expanded.
    pub depth: u32,
}

impl ExploreOptions<'_> {
    /// At most this many states, on one thread, by fingerprints, all invariants.
    #[must_use]
    pub fn new(states: u64) -> Self {
        Self { states, threads: 1, exact: false, only: None, watch: &|_| true }
    }
}
