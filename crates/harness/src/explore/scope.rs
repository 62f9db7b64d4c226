/// How large a world is explored, and how often each fault may happen in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// Workers.
    pub workers: u8,
    /// Jobs.
    pub jobs: u8,
    /// Messages that are held up at once.
    pub in_flight: u8,
    /// Crashes of workers.
    pub crashes: u8,
    /// Messages that arrive twice.
    pub dups: u8,
    /// Steps of clocks.
    pub clock_steps: u8,
}

/// A scope as people read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeWords {
    /// What there is, and what may happen.
    pub within: String,
    /// The faults that are off.
    pub off: Vec<&'static str>,
}
