use crate::campaign::{First, add_up};
use crate::outcome::Outcome;
use crate::selftest::each_seed;
use crate::{
    AnyFrontier, AnyScenario, CampaignOptions, CampaignReport, Catalogue, Failure, FoundViolation, Needs,
    Observer, Planted, ReplayReport, Run, Score, SeedOutcome, SeedReport, SelftestBudget, Sizes, TraceError,
    UnknownVariant, quiet,
};
use std::panic::resume_unwind;

/// Something that a seed decides and that is no world of actions: real shells on a simulated runtime. It is run and
/// judged, but a run of it can neither be replayed from a trace nor shrunk; what it leaves is a history.
pub trait Simulation: Sync {
    /// The name on the command line.
    fn id(&self) -> &'static str;
    /// The engine that runs it.
    fn engine(&self) -> &'static str;
    /// One sentence about it.
    fn about(&self) -> &'static str;
    /// What it can count.
    fn catalogue(&self) -> Catalogue;
    /// The names of its variants, the default first.
    fn variants(&self) -> Vec<String>;
    /// Whether this is the name of a variant; there may be more than those that are listed.
    fn has_variant(&self, name: &str) -> bool {
        self.variants().iter().any(|known| known == name)
    }
    /// What a seed decides, printed whole.
    fn plan(&self, seed: u64) -> String;
    /// Runs one seed, and tells the observer; beside the run comes its history, a JSON object a line. It is called on
    /// a thread of its own, so that what the standard library keeps for each thread is fresh.
    fn run(&self, variant: &str, seed: u64, observer: Observer) -> (Run, String);
}

/// A simulation among the scenarios of a command line.
pub struct Simulated(pub &'static dyn Simulation);

impl Simulated {
    fn fresh(&self, variant: &str, seed: u64, observer: Observer) -> Result<(Run, String), String> {
        std::thread::scope(|scope| {
            let run = scope.spawn(|| quiet::catch(|| self.0.run(variant, seed, observer)));
            run.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    fn outcome(&self, variant: &str, seed: u64) -> Outcome {
        Outcome { seed, run: self.fresh(variant, seed, Observer::new()).map(|(run, _)| run) }
    }

    fn check(&self, variant: &str) -> Result<(), UnknownVariant> {
        if self.has_variant(variant) {
            return Ok(());
        }
        Err(UnknownVariant { scenario: self.id(), variant: variant.to_owned(), known: self.variants() })
    }

    /// Runs the seed once more, to be told of it.
    fn found(&self, variant: &str, first: First) -> FoundViolation {
        let again = self.fresh(variant, first.seed, Observer::narrating());
        let (run, trace) = match again {
            Ok((run, trace)) => (Some(run), trace),
            Err(_) => (None, String::new()),
        };
        let shown = run.as_ref().map(|run| run.observer.clone()).unwrap_or_default();
        let seen = run.and_then(|run| run.violations.of(&first.violation.invariant).cloned());
        let actions = trace.lines().count();
        let promise = self.catalogue().invariants.iter().find(|info| info.id == first.violation.invariant);
        let failure = Failure {
            scenario: self.id(),
            engine: Some(self.0.engine()),
            variant: variant.to_owned(),
            seed: Some(first.seed),
            promise: promise.map_or("", |info| info.promise),
            lines: shown.lines().to_vec(),
            needs: Needs::default(),
            sizes: Sizes { recorded: actions, actions, replays: 0 },
            digest: shown.digest(),
            path: None,
            violation: seen.clone().unwrap_or(first.violation),
        };
        FoundViolation { count: first.count, seed: first.seed, failure, trace, reproduced: seen.is_some() }
    }
}

impl AnyScenario for Simulated {
    fn id(&self) -> &'static str {
        self.0.id()
    }

    fn about(&self) -> &'static str {
        self.0.about()
    }

    fn catalogue(&self) -> Catalogue {
        self.0.catalogue()
    }

    fn variants(&self) -> Vec<String> {
        self.0.variants()
    }

    fn has_variant(&self, name: &str) -> bool {
        self.0.has_variant(name)
    }

    fn campaign(&self, options: &CampaignOptions<'_>) -> Result<CampaignReport, UnknownVariant> {
        self.check(options.variant)?;
        let totals = add_up(options, &|seed| self.outcome(options.variant, seed));
        let found = |first| self.found(options.variant, first);
        Ok(CampaignReport::new((self.id(), self.catalogue()), options, totals, found))
    }

    fn run_seed(&self, variant: &str, seed: u64) -> Result<SeedReport, UnknownVariant> {
        self.check(variant)?;
        let outcome = self.fresh(variant, seed, Observer::narrating()).map(|(run, trace)| SeedOutcome {
            events: run.observer.events(),
            simulated_ms: run.simulated_ms,
            digest: run.observer.digest(),
            violations: run.violations.iter().cloned().collect(),
            lines: run.observer.lines().to_vec(),
            trail: run.observer.trail().to_vec(),
            actions: trace.lines().count(),
            trace,
        });
        let plan = self.0.plan(seed);
        Ok(SeedReport { scenario: self.id(), variant: variant.to_owned(), seed, plan, outcome })
    }

    fn digest(&self, variant: &str, seed: u64) -> Result<u64, UnknownVariant> {
        self.check(variant)?;
        Ok(self.outcome(variant, seed).digest())
    }

    /// What it can be run with is listed by the world of the same name.
    fn planted(&self) -> Vec<Planted> {
        Vec::new()
    }

    fn find_planted(
        &self,
        variant: &str,
        invariant: &str,
        budget: SelftestBudget,
    ) -> Result<Option<Score>, UnknownVariant> {
        self.check(variant)?;
        let falls = |seed| {
            let run = self.fresh(variant, seed, Observer::new());
            run.is_ok_and(|(run, _)| run.violations.of(invariant).is_some())
        };
        Ok(each_seed(budget, falls, |_, _| {}))
    }

    fn frontier(&self) -> Option<Box<dyn AnyFrontier>> {
        None
    }

    fn replay(&self, _: &str, _: Option<&str>) -> Result<ReplayReport, TraceError> {
        Err(TraceError::NotReplayable { engine: self.0.engine() })
    }
}
