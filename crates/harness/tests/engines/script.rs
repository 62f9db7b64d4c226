//! A world that does nothing but keep its actions, and a rule over them that says when a promise is broken: for
//! what the toy world does not bring about.

use holdover::{
    Applied, Catalogue, Class, InvariantInfo, Observer, Plan, Rng, Scenario, Step, TraceOf, Trial, Violation,
    Violations, Weights, World, record,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Action {
    /// Becomes `Right` when simplified, and `Right` becomes this.
    Left,
    Right,
    /// Two waits merge.
    Wait(u32),
    /// Is possible only after the action of this number; its world forgets to renumber it.
    After(u32),
    /// Ends the run.
    Heal,
}

/// The invariant that these actions break, if they break one.
pub(crate) type Rule = fn(&[Step<Action>]) -> Option<&'static str>;

/// A rule as a scenario of one variant.
pub(crate) struct Script(pub(crate) Rule);

#[derive(Clone)]
pub(crate) struct Played {
    rule: Rule,
    applied: Vec<Step<Action>>,
    violations: Violations,
}

/// In an order that is not that of the alphabet.
const INVARIANTS: &[InvariantInfo] = &[
    InvariantInfo { id: "zebra", promise: "there is no zebra", class: Class::Safety },
    InvariantInfo { id: "ant", promise: "there is no ant", class: Class::Safety },
];

impl Scenario for Script {
    type Variant = Rule;
    type Config = ();
    type World = Played;

    fn id(&self) -> &'static str {
        "script"
    }

    fn about(&self) -> &'static str {
        "A rule over a list of actions."
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue { faults: &[], probes: &[], invariants: INVARIANTS, transitions: &[] }
    }

    fn variants(&self) -> Vec<String> {
        vec!["only".to_owned()]
    }

    fn variant(&self, name: &str) -> Option<Rule> {
        (name == "only").then_some(self.0)
    }

    fn plan(&self, _: u64) -> Plan<()> {
        Plan { config: (), weights: Weights::new(vec![1]), steps: 20 }
    }

    fn world(&self, rule: &Rule, _: &()) -> Played {
        Played { rule: *rule, applied: Vec::new(), violations: Violations::default() }
    }
}

impl Script {
    pub(crate) fn trial(&self) -> Trial<'_, Self> {
        Trial::new(self, "only").expect("the only variant")
    }

    /// A trace of these actions that is to break the invariant `ant`.
    pub(crate) fn trace(&self, actions: &[(u32, Action)]) -> TraceOf<Self> {
        let (_, mut trace) = record(&self.trial(), 0);
        let steps = actions.iter().cloned().map(|(number, action)| Step { number, action });
        trace.steps = steps.collect();
        trace.violates = Some("ant".to_owned());
        trace
    }
}

impl World for Played {
    type Action = Action;

    fn sample(&self, rng: &mut Rng, _: &Weights) -> Option<Action> {
        rng.pick(&[Action::Left, Action::Right, Action::Wait(1)]).cloned()
    }

    fn enabled(&self, actions: &mut Vec<Action>) {
        actions.extend([Action::Left, Action::Right, Action::Wait(1)]);
    }

    fn apply(&mut self, step: &Step<Action>, observer: &mut Observer) -> Applied {
        if let Action::After(number) = step.action
            && self.applied.iter().all(|applied| applied.number != number)
        {
            return Applied::Skipped;
        }
        self.applied.push(step.clone());
        observer.event(u64::from(step.number));
        if let Some(invariant) = (self.rule)(&self.applied) {
            self.violations.report(invariant, || Violation {
                invariant: invariant.to_owned(),
                class: Class::Safety,
                at_ms: 0,
                step: step.number,
                sentence: "the rule says so".to_owned(),
                evidence: Vec::new(),
            });
        }
        Applied::Done
    }

    fn heal(&self) -> Action {
        Action::Heal
    }

    fn simplify(action: &Action) -> Vec<Action> {
        match action {
            Action::Left => vec![Action::Right],
            Action::Right => vec![Action::Left],
            _ => Vec::new(),
        }
    }

    fn merge(first: &Step<Action>, second: &Step<Action>) -> Option<Action> {
        match (&first.action, &second.action) {
            (Action::Wait(some), Action::Wait(more)) => Some(Action::Wait(some + more)),
            _ => None,
        }
    }

    fn violations(&self) -> &Violations {
        &self.violations
    }

    fn simulated_ms(&self) -> i64 {
        0
    }

    fn fingerprint(&self) -> u64 {
        self.applied.len() as u64
    }
}
