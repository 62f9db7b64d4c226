//! One lease that workers claim, lose contact over and release. Each variant but the first has one fault, so that
//! every way in which a campaign can end is there to be seen.

use holdover::{
    AnyScenario, Applied, Catalogue, Class, InvariantInfo, Line, Mark, Observer, Plan, Planted, Recovery,
    Rng, Scenario, Step, Violation, Violations, Weights, World,
};
use serde::{Deserialize, Serialize};

/// The scenarios of the toy program; in `barren` there is a fault that never happens.
pub(crate) const SCENARIOS: &[&dyn AnyScenario] =
    &[&Toy { id: "lease", faults: &["loss"] }, &Toy { id: "barren", faults: &["loss", "earthquake"] }];

const TRANSITIONS: &[&str] = &["free x claim x granted", "held x claim x refused"];

const BOUND_MS: i64 = 10_000;

const ONE_HOLDER: InvariantInfo =
    InvariantInfo { id: "one-holder", promise: "A lease has one holder at most.", class: Class::Safety };

const RECOVERED: InvariantInfo = InvariantInfo {
    id: "recovered",
    promise: "A lost lease is free again within its bound.",
    class: Class::Liveness,
};

/// The scenario.
pub(crate) struct Toy {
    id: &'static str,
    faults: &'static [&'static str],
}

/// What a variant gets wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    None,
    Shares,
    Forgets,
    Panics,
    Wavers,
}

const VARIANTS: [(&str, Flaw); 5] = [
    ("hardened", Flaw::None),
    ("shares", Flaw::Shares),
    ("forgets", Flaw::Forgets),
    ("panics", Flaw::Panics),
    ("wavers", Flaw::Wavers),
];

/// A planted bug: its name, the invariant that must fall, what masks it, and what is wrong.
type Entry = (&'static str, &'static str, Option<&'static str>, Flaw);

/// The planted bugs: each with the invariant that must fall, and what masks it. The last two are not as they say.
const PLANTED: [Entry; 4] = [
    ("two-grants", "one-holder", None, Flaw::Shares),
    ("never-freed", "recovered", None, Flaw::Forgets),
    ("misnamed", "recovered", None, Flaw::Shares),
    ("unmasked", "one-holder", Some("two-grants"), Flaw::Shares),
];

/// What a seed decides.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Config {
    unlucky: bool,
}

/// What may happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Wait { ms: i64 },
    Claim { worker: u32 },
    Lose,
    Release,
    Heal,
}

/// The state.
#[derive(Debug, Clone)]
pub(crate) struct Lease {
    flaw: Flaw,
    unlucky: bool,
    now_ms: i64,
    holder: Option<u32>,
    lost: bool,
    violations: Violations,
}

impl Scenario for Toy {
    type Variant = Flaw;
    type Config = Config;
    type World = Lease;

    fn id(&self) -> &'static str {
        self.id
    }

    fn about(&self) -> &'static str {
        "One lease and three workers."
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue {
            faults: self.faults,
            probes: &["refused"],
            invariants: &[ONE_HOLDER, RECOVERED],
            transitions: TRANSITIONS,
        }
    }

    fn variants(&self) -> Vec<String> {
        VARIANTS.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn variant(&self, name: &str) -> Option<Flaw> {
        let planted = name.strip_prefix(Planted::PREFIX).and_then(|list| list.split(',').next());
        let bug = PLANTED.iter().find(|(id, ..)| planted == Some(id)).map(|(.., flaw)| *flaw);
        bug.or_else(|| VARIANTS.iter().find(|(known, _)| *known == name).map(|(_, flaw)| *flaw))
    }

    fn planted(&self) -> Vec<Planted> {
        let planted = |&(id, invariant, masked_by, _): &Entry| {
            let about = "It is wrong on purpose.".to_owned();
            Planted { id, about, class: "toy", source: "own", invariant, masked_by }
        };
        PLANTED.iter().filter(|_| self.id == "lease").map(planted).collect()
    }

    fn plan(&self, seed: u64) -> Plan<Config> {
        let config = Config { unlucky: seed % 7 == 3 };
        Plan { config, weights: Weights::new(vec![4, 4, 1, 2]), steps: 20 }
    }

    fn world(&self, flaw: &Flaw, config: &Config) -> Lease {
        let violations = Violations::default();
        Lease { flaw: *flaw, unlucky: config.unlucky, now_ms: 0, holder: None, lost: false, violations }
    }
}

impl World for Lease {
    type Action = Action;

    fn sample(&self, rng: &mut Rng, weights: &Weights) -> Option<Action> {
        Some(match weights.draw(rng)? {
            0 => Action::Wait { ms: rng.between(1, 1_000) },
            1 => Action::Claim { worker: 1 + rng.below(3) },
            2 => Action::Lose,
            _ => Action::Release,
        })
    }

    fn enabled(&self, actions: &mut Vec<Action>) {
        actions.extend([Action::Wait { ms: 1 }, Action::Claim { worker: 1 }]);
        actions.extend(self.holder.map(|_| Action::Lose));
        actions.extend(self.holder.map(|_| Action::Release));
    }

    fn apply(&mut self, step: &Step<Action>, observer: &mut Observer) -> Applied {
        let now_ms = self.now_ms;
        let mut tell = |text: String, mark| {
            observer.event(u64::from(step.number));
            let line = || Line { at_ms: now_ms, step: step.number, node: "lease".to_owned(), text, mark };
            observer.narrate(line);
        };
        match step.action {
            Action::Wait { ms } => self.now_ms += ms,
            Action::Claim { worker } => {
                assert!(!(self.unlucky && self.flaw == Flaw::Panics), "worker {worker} is unlucky");
                let mark = if self.holder.is_some() { Mark::Refused } else { Mark::Plain };
                tell(format!("worker-{worker} claims"), mark);
                self.claim(worker, step.number, observer);
            }
            Action::Lose | Action::Release if self.holder.is_none() || self.lost => return Applied::Skipped,
            Action::Lose => {
                tell("contact is lost".to_owned(), Mark::Fault);
                self.lost = true;
                observer.fault(0);
            }
            Action::Release => {
                tell("the holder releases".to_owned(), Mark::Plain);
                self.holder = None;
            }
            Action::Heal => {
                tell("faults stop".to_owned(), Mark::Plain);
                self.heal_now(step.number, observer);
            }
        }
        if self.flaw == Flaw::Wavers && step.number > 2 {
            observer.event(first_of_a_hash_map());
        }
        Applied::Done
    }

    fn heal(&self) -> Action {
        Action::Heal
    }

    fn simplify(action: &Action) -> Vec<Action> {
        match action {
            Action::Wait { ms } if *ms > 1 => vec![Action::Wait { ms: 1 }],
            _ => Vec::new(),
        }
    }

    fn violations(&self) -> &Violations {
        &self.violations
    }

    fn simulated_ms(&self) -> i64 {
        self.now_ms
    }

    fn fingerprint(&self) -> u64 {
        u64::from(self.holder.unwrap_or(0)) * 2 + u64::from(self.lost)
    }
}

/// The canary of the determinism gate: the order of a hash map whose seed the process draws.
#[expect(clippy::disallowed_types, reason = "this is what the gate must catch")]
fn first_of_a_hash_map() -> u64 {
    let map: std::collections::HashMap<u64, ()> = (0..1_000).map(|key| (key, ())).collect();
    map.into_keys().next().unwrap_or(0)
}

impl Lease {
    fn claim(&mut self, worker: u32, step: u32, observer: &mut Observer) {
        let Some(holder) = self.holder else {
            observer.transition(Some(0));
            self.holder = Some(worker);
            return;
        };
        observer.could_fail(0);
        observer.probe(0);
        observer.transition(Some(1));
        if self.flaw == Flaw::Shares && holder != worker {
            let sentence = format!("worker-{worker} was granted the lease while worker-{holder} held it");
            let evidence = vec![format!("worker-{worker}"), format!("worker-{holder}")];
            self.violate(ONE_HOLDER, step, sentence, evidence);
        }
    }

    fn heal_now(&mut self, step: u32, observer: &mut Observer) {
        if !self.lost {
            return;
        }
        observer.could_fail(1);
        self.now_ms += BOUND_MS / 2;
        if self.flaw == Flaw::Forgets {
            self.violate(
                RECOVERED,
                step,
                "the lost lease was never freed".to_owned(),
                vec!["lease".to_owned()],
            );
        } else {
            observer.recovered(Recovery { took_ms: BOUND_MS / 2, bound_ms: BOUND_MS });
            self.holder = None;
        }
    }

    fn violate(&mut self, info: InvariantInfo, step: u32, sentence: String, evidence: Vec<String>) {
        let (invariant, class, at_ms) = (info.id.to_owned(), info.class, self.now_ms);
        self.violations.report(info.id, || Violation { invariant, class, at_ms, step, sentence, evidence });
    }
}
