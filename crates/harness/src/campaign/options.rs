use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// What a campaign is to run. Nothing here but the seeds and the variant changes what it finds.
#[derive(Clone)]
pub struct CampaignOptions<'a> {
    pub(crate) variant: &'a str,
    pub(crate) seeds: Range<u64>,
    pub(crate) threads: NonZeroUsize,
    pub(crate) shrink: u32,
    pub(crate) stop: Option<&'a AtomicBool>,
    pub(crate) progress: &'a (dyn Fn(u64) + Sync),
    pub(crate) shrinking: &'a (dyn Fn(Shrinking<'_>) + Sync),
}

/// How far the shrinking of a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shrinking<'a> {
    /// The invariant that fell.
    pub invariant: &'a str,
    /// The first seed in which it did.
    pub seed: u64,
    /// How many actions are left; 0 before the first replay.
    pub actions: usize,
    /// How many replays were made. The first word of a failure comes with none, before anything else is done.
    pub replays: u32,
}

impl<'a> CampaignOptions<'a> {
    /// These seeds in this variant: one thread, and up to 5,000 replays to shrink each failure.
    pub fn new(variant: &'a str, seeds: Range<u64>) -> Self {
        Self {
            variant,
            seeds,
            threads: NonZeroUsize::MIN,
            shrink: 5_000,
            stop: None,
            progress: &|_| {},
            shrinking: &|_| {},
        }
    }

    /// Runs on this many threads. The report does not depend on it.
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// Shrinks each failure with at most this many replays; 0 keeps traces as they were recorded.
    #[must_use]
    pub fn shrink(self, replays: u32) -> Self {
        Self { shrink: replays, ..self }
    }

    /// Begins no more seeds once the flag is set. The report then covers the seeds from the first up to where the
    /// campaign stopped, without a gap.
    #[must_use]
    pub fn stop(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Calls back as soon as the first seed of a failure is known, and again and again while it is shrunk.
    #[must_use]
    pub fn shrinking(self, shrinking: &'a (dyn Fn(Shrinking<'_>) + Sync)) -> Self {
        Self { shrinking, ..self }
    }

    /// Calls back with the number of seeds done, from time to time, from any thread.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }
}

impl fmt::Debug for CampaignOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CampaignOptions")
            .field("variant", &self.variant)
            .field("seeds", &self.seeds)
            .field("threads", &self.threads)
            .field("shrink", &self.shrink)
            .finish_non_exhaustive()
    }
}
