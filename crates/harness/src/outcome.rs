use crate::{Run, Scenario, Trial, quiet, run};

/// What became of a seed: its run, or the message of its panic.
pub(crate) struct Outcome {
    pub(crate) seed: u64,
    pub(crate) run: Result<Run, String>,
}

impl Outcome {
    pub(crate) fn of<S: Scenario>(trial: &Trial<'_, S>, seed: u64) -> Self {
        Self::caught(seed, || run(trial, seed))
    }

    /// What becomes of a run, its panic among it.
    pub(crate) fn caught(seed: u64, run: impl FnOnce() -> Run) -> Self {
        Self { seed, run: quiet::catch(run) }
    }

    /// The digest of the run; a panic has one as well, so that it does not go unnoticed in a comparison.
    pub(crate) fn digest(&self) -> u64 {
        self.run.as_ref().map_or(u64::MAX, |run| run.observer.digest())
    }
}
