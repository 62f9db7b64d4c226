use crate::{Line, Scenario, Trial, Violation, quiet, record};

/// One seed, told in full.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SeedReport {
    /// The scenario.
    pub scenario: &'static str,
    /// The variant.
    pub variant: String,
    /// The seed.
    pub seed: u64,
    /// What the seed decided before the run began, printed whole as JSON.
    pub plan: String,
    /// What came of it, or the message of the panic in which it ended.
    pub outcome: Result<SeedOutcome, String>,
}

/// What came of one seed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SeedOutcome {
    /// How many events there were.
    pub events: u64,
    /// Simulated time, in milliseconds.
    pub simulated_ms: i64,
    /// The digest of all events.
    pub digest: u64,
    /// The first violation of each invariant, in the order in which they came.
    pub violations: Vec<Violation>,
    /// The whole story.
    pub lines: Vec<Line>,
    /// The digest after each event, and how many lines were told before it.
    pub trail: Vec<(u64, usize)>,
    /// The trace as JSON, as it was recorded.
    pub trace: String,
    /// How many actions it has.
    pub actions: usize,
}

impl SeedReport {
    pub(crate) fn new<S: Scenario>(trial: &Trial<'_, S>, seed: u64) -> Self {
        Self {
            scenario: trial.scenario.id(),
            variant: trial.name.clone(),
            seed,
            plan: serde_json::to_string(&trial.scenario.plan(seed)).expect("a plan has a JSON form"),
            outcome: quiet::catch(|| SeedOutcome::new(trial, seed)),
        }
    }
}

impl SeedOutcome {
    fn new<S: Scenario>(trial: &Trial<'_, S>, seed: u64) -> Self {
        let (run, trace) = record(trial, seed);
        Self {
            events: run.observer.events(),
            simulated_ms: run.simulated_ms,
            digest: run.observer.digest(),
            violations: run.violations.iter().cloned().collect(),
            lines: run.observer.lines().to_vec(),
            trail: run.observer.trail().to_vec(),
            trace: trace.to_json(),
            actions: trace.steps.len(),
        }
    }
}
