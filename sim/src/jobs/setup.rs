use super::config::Config;
use super::planted::Flaw;
use super::task::Tasks;
use holdover_jobs::Policy;
use std::sync::Arc;

/// What every world of a variant shares.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) policy: Arc<Policy>,
    pub(super) tasks: Arc<Tasks>,
    pub(super) config: Config,
    /// The planted bugs; none in a sound world.
    pub(super) flaws: Arc<[Flaw]>,
}

impl Setup {
    /// The planted bug at a seam, if there is one.
    pub(super) fn flaw<T>(&self, seam: impl Fn(&Flaw) -> Option<T>) -> Option<T> {
        self.flaws.iter().find_map(seam)
    }
}
