use crate::trace::SCHEMA;
use thiserror::Error;

/// A variant that the scenario does not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("scenario {scenario} has no variant `{variant}`; it has {}", known.join(", "))]
pub struct UnknownVariant {
    /// The scenario.
    pub scenario: &'static str,
    /// The name that was asked for.
    pub variant: String,
    /// The names that it has, the default first.
    pub known: Vec<String>,
}

/// Why a trace cannot be replayed here.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The text is not the JSON of a trace of this scenario.
    #[error("malformed trace: {0}")]
    Malformed(String),
    /// The text is a trace of another format.
    #[error("the trace has schema `{found}`; this version reads `{SCHEMA}`")]
    OtherSchema {
        /// The schema in the trace.
        found: String,
    },
    /// The trace belongs to another scenario.
    #[error("the trace is of scenario `{found}`, not of `{expected}`")]
    OtherScenario {
        /// The scenario in the trace.
        found: String,
        /// The scenario that was to replay it.
        expected: &'static str,
    },
    /// The trace belongs to a scenario that nobody here knows.
    #[error("the trace is of scenario `{found}`, which is none of {}", known.join(", "))]
    UnknownScenario {
        /// The scenario in the trace.
        found: String,
        /// The scenarios there are.
        known: Vec<&'static str>,
    },
    /// The trace names an invariant that the scenario does not have.
    #[error("the trace violates `{found}`, which is no invariant of {scenario}")]
    UnknownInvariant {
        /// The invariant in the trace.
        found: String,
        /// The scenario.
        scenario: &'static str,
    },
    /// The steps are not numbered upwards.
    #[error("malformed trace: step {number} stands after step {after}; numbers must rise, from 1 on")]
    OutOfOrder {
        /// The number that is too low.
        number: u32,
        /// The number before it.
        after: u32,
    },
    /// A fault of the world or of a machine in it, which is not what the trace is about.
    #[error("replaying the trace panicked: {0}")]
    Panicked(String),
    /// The scenario's engine leaves histories, which cannot be replayed.
    #[error("engine {engine} leaves histories, which cannot be replayed; run the seed again")]
    NotReplayable {
        /// The engine.
        engine: &'static str,
    },
    /// The trace names a variant that the scenario does not have, or the caller did.
    #[error(transparent)]
    UnknownVariant(#[from] UnknownVariant),
}
