use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

/// How hard a frontier is searched. Nothing here but the number of seeds changes what is found.
#[derive(Clone)]
pub struct FrontierOptions<'a> {
    pub(super) seeds: u64,
    pub(super) threads: NonZeroUsize,
    pub(super) stop: Option<&'a AtomicBool>,
    pub(super) progress: &'a (dyn Fn() + Sync),
}

impl<'a> FrontierOptions<'a> {
    /// So many seeds at each size of each error, from 0 on, on one thread.
    pub fn new(seeds: u64) -> Self {
        Self { seeds, threads: NonZeroUsize::MIN, stop: None, progress: &|| {} }
    }

    /// Runs on this many threads. The report does not depend on it.
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// Begins no more sizes once the flag is set; there is no report then.
    #[must_use]
    pub fn stop(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Calls back whenever one size is done.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn() + Sync)) -> Self {
        Self { progress, ..self }
    }
}

impl fmt::Debug for FrontierOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrontierOptions")
            .field("seeds", &self.seeds)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}
