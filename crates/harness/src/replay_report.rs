use crate::report::tell;
use crate::{Failure, Layout, Line, Replay, Scenario, Sizes, TraceOf, Trial, Verdict, Violation};

/// One replayed trace, told in full.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReplayReport {
    /// The scenario.
    pub scenario: &'static str,
    /// The variant in which it was replayed.
    pub variant: String,
    /// The seed from which the trace came, if from any.
    pub seed: Option<u64>,
    /// The invariant that the trace names.
    pub violates: Option<String>,
    /// What the replay says of the trace.
    pub verdict: Verdict,
    /// Whether the deciding action got the recorded answer; `None` if the trace names no such action.
    pub decided: Option<bool>,
    /// How many actions the trace has.
    pub actions: usize,
    /// The numbers of the actions that were not possible.
    pub skipped: Vec<u32>,
    /// The first violation of each invariant, in the order in which they came.
    pub violations: Vec<Violation>,
    /// What each action was answered, by its number.
    pub answers: Vec<(u32, String)>,
    /// The story.
    pub lines: Vec<Line>,
    /// The digest of all events.
    pub digest: u64,
    /// Simulated time, in milliseconds.
    pub simulated_ms: i64,
    /// What there is to print of the violation that the trace names, or else of the first, if it is shown.
    pub failure: Option<Failure>,
}

impl ReplayReport {
    pub(crate) fn new<S: Scenario>(trial: &Trial<'_, S>, trace: &TraceOf<S>, replay: Replay) -> Self {
        let violation = match &trace.violates {
            Some(invariant) => replay.violations.of(invariant),
            None => replay.violations.iter().next(),
        };
        let sizes = Sizes { recorded: trace.steps.len(), actions: trace.steps.len(), replays: 0 };
        Self {
            failure: violation.cloned().map(|violation| {
                Failure::new(trial, trace.seed, violation, &replay.observer, &replay.observer, sizes)
            }),
            scenario: trial.scenario.id(),
            variant: trial.name.clone(),
            seed: trace.seed,
            violates: trace.violates.clone(),
            verdict: replay.verdict,
            decided: trace.deciding.as_ref().map(|deciding| replay.decided(deciding)),
            actions: trace.steps.len(),
            violations: replay.violations.iter().cloned().collect(),
            answers: replay.observer.answers().to_vec(),
            lines: replay.observer.lines().to_vec(),
            digest: replay.observer.digest(),
            simulated_ms: replay.simulated_ms,
            skipped: replay.skipped,
        }
    }

    /// The story of the trace, for where there is no failure to print.
    pub fn story(&self, layout: Layout) -> String {
        let mut out = String::new();
        tell(&mut out, layout, &self.lines, &[]);
        out
    }
}
