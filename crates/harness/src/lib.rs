//! The engines of Holdover, generic over a [`World`].
//!
//! A world is a closed system in which the next thing to happen is an action. The engines here choose actions,
//! record them as a trace, replay and shrink traces, and count what was seen. They know no protocol.

mod any_scenario;
mod campaign;
mod digest;
mod error;
mod observer;
mod outcome;
mod quiet;
mod replay;
mod replay_report;
mod report;
mod rng;
mod run;
mod scenario;
mod seed_report;
mod shrink;
mod trace;
mod trial;
mod violation;
mod weights;
mod world;

pub use any_scenario::{AnyScenario, scenario_of_trace};
pub use campaign::{
    CampaignOptions, CampaignReport, CampaignSummary, Counts, Floors, FoundViolation, Panicked, Panics,
    RecoveryReport, campaign,
};
pub use digest::hex;
pub use error::{TraceError, UnknownVariant};
pub use observer::{Line, Mark, Observer, Recovery};
pub use replay::{Replay, Verdict, replay};
pub use replay_report::ReplayReport;
pub use report::{Failure, Layout, Needs, Sizes};
pub use rng::Rng;
pub use run::{Run, record, run};
pub use scenario::{Catalogue, InvariantInfo, Plan, Scenario};
pub use seed_report::{SeedOutcome, SeedReport};
pub use shrink::{Shrunk, shrink};
pub use trace::{Deciding, Trace, TraceOf};
pub use trial::Trial;
pub use violation::{Class, Violation, Violations};
pub use weights::Weights;
pub use world::{Applied, Step, World};
