use holdover::{
    Applied, Catalogue, Class, Explorable, InvariantInfo, Observer, Plan, Rng, Scenario, Scope, ScopeWords,
    Step, Violation, Violations, Weights, World,
};
use serde::{Deserialize, Serialize};

/// One thing that happens to the job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Action {
    Take(u8),
    Lose,
    Finish,
    Heal,
}

/// A job that workers take, and that is lost at most twice.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    rules: &'static str,
    workers: u8,
    holder: Option<u8>,
    losses: u8,
    done: bool,
    violations: Violations,
}

const LOSSES_MAX: u8 = 2;

const INVARIANTS: &[InvariantInfo] = &[
    InvariantInfo {
        id: "in-time",
        promise: "A job is not finished once it was lost twice.",
        class: Class::Safety,
    },
    InvariantInfo { id: "converges", promise: "A job is done in the end.", class: Class::Liveness },
];

impl Job {
    fn violate(&mut self, info: &'static InvariantInfo, step: u32, sentence: &str) {
        self.violations.report(info.id, || Violation {
            invariant: info.id.to_owned(),
            class: info.class,
            at_ms: 0,
            step,
            sentence: sentence.to_owned(),
            evidence: Vec::new(),
        });
    }

    /// In a livelock, what was lost once can never be finished.
    fn may_finish(&self) -> bool {
        self.rules != "livelock" || self.losses == 0
    }
}

impl World for Job {
    type Action = Action;

    fn sample(&self, rng: &mut Rng, _: &Weights) -> Option<Action> {
        Some(Action::Take(rng.below(self.workers.into()) as u8))
    }

    fn enabled(&self, actions: &mut Vec<Action>) {
        actions.extend((0..self.workers).map(Action::Take));
        actions.extend([Action::Lose, Action::Finish]);
    }

    fn apply(&mut self, step: &Step<Action>, _: &mut Observer) -> Applied {
        match step.action {
            Action::Take(worker) if self.holder.is_none() && !self.done => self.holder = Some(worker),
            Action::Lose if self.holder.is_some() && self.losses < LOSSES_MAX => {
                self.holder = None;
                self.losses += 1;
            }
            Action::Lose if self.holder.is_some() && self.rules == "livelock" => self.holder = None,
            Action::Finish if self.holder.is_some() && self.may_finish() => {
                self.holder = None;
                self.done = true;
                if self.rules == "breaks" && self.losses == LOSSES_MAX {
                    self.violate(&INVARIANTS[0], step.number, "it was finished after two losses");
                }
            }
            Action::Heal if self.may_finish() => self.done = true,
            Action::Heal => self.violate(&INVARIANTS[1], step.number, "it is never done"),
            _ => return Applied::Skipped,
        }
        Applied::Done
    }

    fn heal(&self) -> Action {
        Action::Heal
    }

    fn simplify(_: &Action) -> Vec<Action> {
        Vec::new()
    }

    fn violations(&self) -> &Violations {
        &self.violations
    }

    fn simulated_ms(&self) -> i64 {
        0
    }

    fn fingerprint(&self) -> u64 {
        u64::from(self.losses)
    }
}

/// The scenario.
pub(crate) struct Taking;

impl Scenario for Taking {
    type Variant = &'static str;
    type Config = u8;
    type World = Job;

    fn id(&self) -> &'static str {
        "taking"
    }

    fn about(&self) -> &'static str {
        "a job that workers take, lose and finish"
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue { faults: &[], probes: &[], invariants: INVARIANTS, transitions: &[] }
    }

    fn variants(&self) -> Vec<String> {
        ["sound", "breaks", "livelock"].map(str::to_owned).to_vec()
    }

    fn variant(&self, name: &str) -> Option<&'static str> {
        ["sound", "breaks", "livelock"].into_iter().find(|known| *known == name)
    }

    fn plan(&self, seed: u64) -> Plan<u8> {
        let weights = Weights::swarm(&mut Rng::from_seed(seed), &[1], &[0]);
        Plan { config: 3, weights, steps: 10 }
    }

    fn world(&self, rules: &&'static str, workers: &u8) -> Job {
        let (rules, workers) = (*rules, *workers);
        Job { rules, workers, holder: None, losses: 0, done: false, violations: Violations::default() }
    }
}

impl Explorable for Taking {
    fn scope(&self) -> Scope {
        Scope { workers: 3, jobs: 1, in_flight: 0, crashes: 0, dups: 0, clock_steps: 0 }
    }

    fn words(&self, scope: &Scope) -> ScopeWords {
        ScopeWords { within: format!("{} workers", scope.workers), off: Vec::new() }
    }

    fn start(&self, scope: &Scope) -> u8 {
        scope.workers
    }

    fn actions(&self, world: &Job, _: &Scope, actions: &mut Vec<Action>) {
        world.enabled(actions);
    }

    fn describe(&self, world: &Job, description: &mut Vec<u8>) {
        // Whoever holds it, it is held.
        description.extend([u8::from(world.holder.is_some()), world.losses, u8::from(world.done)]);
    }

    fn at_rest(&self, world: &Job) -> bool {
        world.done
    }
}
