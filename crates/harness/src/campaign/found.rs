use super::options::{CampaignOptions, Shrinking};
use super::totals::First;
use crate::shrink::shrink_watched;
use crate::{Failure, Scenario, Shrunk, Sizes, Trial, record, replay};

/// A violated invariant, shown by the lowest seed that violates it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FoundViolation {
    /// In how many seeds it was violated.
    pub count: u64,
    /// The lowest of these seeds.
    pub seed: u64,
    /// What there is to print of the failure.
    pub failure: Failure,
    /// The trace as JSON.
    pub trace: String,
    /// Whether replaying the trace shows the violation again. If not, something in the world is not decided by
    /// its seed.
    pub reproduced: bool,
}

impl FoundViolation {
    /// Records the seed once more and shrinks its trace.
    pub(crate) fn new<S: Scenario>(
        trial: &Trial<'_, S>,
        first: First,
        options: &CampaignOptions<'_>,
    ) -> Self {
        let (invariant, seed) = (&*first.violation.invariant, first.seed);
        let tell = |actions, replays| (options.shrinking)(Shrinking { invariant, seed, actions, replays });
        tell(0, 0);
        let (run, mut trace) = record(trial, first.seed);
        trace.violates = Some(first.violation.invariant.clone());
        let mut sizes = Sizes { recorded: trace.steps.len(), actions: trace.steps.len(), replays: 0 };
        let shrunk = match options.shrink {
            0 => None,
            replays => shrink_watched(trial, &trace, replays, &tell),
        };
        if let Some(Shrunk { trace: small, replays, .. }) = shrunk {
            sizes = Sizes { actions: small.steps.len(), replays, ..sizes };
            trace = small;
        }
        let shown = replay(trial, &trace);
        let again = shown.violations.of(&first.violation.invariant).cloned();
        let reproduced = again.is_some();
        let violation = again.unwrap_or_else(|| first.violation.clone());
        let failure = Failure::new(trial, Some(first.seed), violation, &shown.observer, &run.observer, sizes);
        Self { count: first.count, seed: first.seed, failure, trace: trace.to_json(), reproduced }
    }
}
