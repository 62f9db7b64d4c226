//! The engines of Holdover, generic over a [`World`].
//!
//! # Theory
//!
//! A world is a closed system in which the next thing to happen is an *action*, and time moves only by one. What
//! a run does is then a list of actions, and three things follow.
//!
//! - *A seed is a run.* [`run`] draws actions from a seed, with weights that differ from seed to seed, then lets
//!   the faults stop and the system converge. The same seed gives the same events, and so the same digest.
//! - *A failure is a list.* [`record`] keeps the actions as a [`Trace`], [`replay`] carries them out again. An
//!   action that is not possible is skipped and changes nothing, so that every part of a trace is a run too.
//! - *A list can be made short.* [`shrink`] takes actions away, for as long as the same invariant is violated. What
//!   an action brought about is named by the action's number, which it keeps while its neighbours go.
//!
//! A [`campaign`] runs a range of seeds on some threads and adds them up in seed order. It keeps the lowest seed
//! that violates an invariant, shrunk, as a [`Failure`] to print; and it counts how often each fault was noticed
//! and each invariant could have failed, because a campaign that met nothing proves nothing ([`Floors`]).
//!
//! A [`Scenario`] gives a world its name, its variants and its plan for each seed. [`AnyScenario`] forgets the
//! types, for a command line that holds many.
//!
//! # Example
//!
//! A lock that two workers take. In the variant `careless`, one who only waits for the lock can open it.
//!
//! ```
//! use holdover::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
//! enum Action { Take(u8), Release(u8), Heal }
//!
//! #[derive(Clone)]
//! struct Lock { careless: bool, held: bool, inside: [bool; 2], violations: Violations }
//!
//! impl World for Lock {
//!     type Action = Action;
//!
//!     fn sample(&self, rng: &mut Rng, weights: &Weights) -> Option<Action> {
//!         let worker = rng.below(2) as u8;
//!         Some(if weights.draw(rng)? == 0 { Action::Take(worker) } else { Action::Release(worker) })
//!     }
//!
//!     fn enabled(&self, actions: &mut Vec<Action>) {
//!         actions.extend([0, 1].map(Action::Take));
//!         actions.extend([0, 1].map(Action::Release));
//!     }
//!
//!     fn apply(&mut self, step: &Step<Action>, observer: &mut Observer) -> Applied {
//!         match step.action {
//!             Action::Take(worker) if !self.held => (self.held, self.inside[worker as usize]) = (true, true),
//!             Action::Release(worker) if self.careless || self.inside[worker as usize] => {
//!                 (self.held, self.inside[worker as usize]) = (false, false);
//!             }
//!             Action::Heal => {}
//!             _ => return Applied::Skipped,
//!         }
//!         observer.event(u64::from(step.number));
//!         if self.inside == [true, true] {
//!             let (invariant, class) = ("one-inside".to_owned(), Class::Safety);
//!             let sentence = "the lock is held by one worker at a time, but two hold it".to_owned();
//!             self.violations.report("one-inside", || Violation {
//!                 invariant, class, at_ms: 0, step: step.number, sentence, evidence: Vec::new(),
//!             });
//!         }
//!         Applied::Done
//!     }
//!
//!     fn heal(&self) -> Action { Action::Heal }
//!     fn simplify(_: &Action) -> Vec<Action> { Vec::new() }
//!     fn violations(&self) -> &Violations { &self.violations }
//!     fn simulated_ms(&self) -> i64 { 0 }
//!     fn fingerprint(&self) -> u64 { self.inside.iter().fold(0, |bits, &inside| bits * 2 + u64::from(inside)) }
//! }
//!
//! struct Locking;
//!
//! impl Scenario for Locking {
//!     type Variant = bool;
//!     type Config = ();
//!     type World = Lock;
//!
//!     fn id(&self) -> &'static str { "locking" }
//!     fn about(&self) -> &'static str { "Two workers and a lock." }
//!     fn catalogue(&self) -> Catalogue { Catalogue { faults: &[], probes: &[], invariants: &[], transitions: &[] } }
//!     fn variants(&self) -> Vec<String> { vec!["sound".to_owned(), "careless".to_owned()] }
//!     fn variant(&self, name: &str) -> Option<bool> {
//!         match name { "sound" => Some(false), "careless" => Some(true), _ => None }
//!     }
//!     fn plan(&self, seed: u64) -> Plan<()> {
//!         let weights = Weights::swarm(&mut Rng::from_seed(seed), &[4, 4], &[0]);
//!         Plan { config: (), weights, steps: 100 }
//!     }
//!     fn world(&self, careless: &bool, _: &()) -> Lock {
//!         Lock { careless: *careless, held: false, inside: [false; 2], violations: Violations::default() }
//!     }
//! }
//!
//! let sound = campaign(&Locking, &CampaignOptions::new("sound", 0..100))?;
//! assert!(sound.violations.is_empty());
//!
//! let careless = campaign(&Locking, &CampaignOptions::new("careless", 0..100))?;
//! let failure = &careless.violations[0].failure;
//! assert_eq!(failure.sizes.actions, 3); // one takes the lock, the other opens it and takes it too
//! println!("{}", failure.render(Layout { columns: 80, colour: false }));
//! # Ok::<(), UnknownVariant>(())
//! ```

mod any_scenario;
mod campaign;
mod digest;
mod error;
mod explore;
mod frontier;
pub mod history;
mod observer;
mod outcome;
mod planted;
mod quiet;
mod replay;
mod replay_report;
mod report;
mod rng;
mod run;
mod scenario;
mod seed_report;
mod selftest;
mod shrink;
mod simulated;
mod trace;
mod trial;
mod violation;
mod weights;
mod world;

pub use any_scenario::{AnyScenario, scenario_of_trace};
pub use campaign::{
    CampaignOptions, CampaignReport, CampaignSummary, Conduct, Counts, Floors, FoundViolation, MergeError,
    PairReport, Panicked, Panics, RecoveryReport, Shard, ShardError, Shrinking, States, ViolationSummary,
    campaign,
};
pub use digest::hex;
pub use error::{TraceError, UnknownVariant};
pub use explore::{
    AnyExplorable, Counterexample, Ending, Explorable, Exploration, ExploreOptions, Progress, Scope,
    ScopeWords, explore,
};
pub use frontier::{
    AnyFrontier, ErrorKind, Frontier, FrontierOptions, FrontierReport, FrontierRow, Limit, OverlapAt,
    Schedule, ScheduleOf, frontier, frontier_row,
};
pub use observer::{Line, Mark, Observer, Recovery};
pub use planted::Planted;
pub use replay::{Replay, Verdict, replay};
pub use replay_report::ReplayReport;
pub use report::{Failure, Layout, Needs, Sizes};
pub use rng::Rng;
pub use run::{Run, record, run};
pub use scenario::{Catalogue, InvariantInfo, Plan, Scenario};
pub use seed_report::{SeedOutcome, SeedReport};
pub use selftest::{Score, SelftestBudget};
pub use shrink::{Shrunk, shrink};
pub use simulated::{Simulated, Simulation};
pub use trace::{Deciding, Trace, TraceOf};
pub use trial::Trial;
pub use violation::{Class, Violation, Violations};
pub use weights::Weights;
pub use world::{Applied, Step, World};
