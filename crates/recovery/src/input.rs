use crate::{Attempt, Page, Run};
use holdover_machine::{Outcome, Secret};
use serde::Deserialize;

/// What a port answers. The text of a failure may hold anything, so it cannot be shown; the pass only hands the
/// text of a failed first listing to its caller.
pub type Answer<T> = Outcome<T, Secret<String>>;

/// What can happen to a pass. Every input but the first answers the effect that is outstanding; an answer to
/// anything else is not for this pass and changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Input {
    /// Begin. A pass runs once; a second start changes nothing.
    Start,
    /// Answers [`Effect::List`](crate::Effect::List).
    Listed(Answer<Page>),
    /// Answers [`Effect::Load`](crate::Effect::Load): run and attempt as read in one transaction.
    Loaded(Answer<Box<Aggregate>>),
    /// Answers [`Effect::Process`](crate::Effect::Process).
    Processed(Answer<Receipt>),
    /// Answers [`Effect::Recover`](crate::Effect::Recover).
    Recovered(Answer<Recovery>),
    /// Answers [`Effect::Inspect`](crate::Effect::Inspect).
    Inspected(Answer<Inspection>),
    /// Answers [`Effect::DrawIds`](crate::Effect::DrawIds).
    Drawn(Answer<EventIds>),
    /// Answers [`Effect::RecordRunning`](crate::Effect::RecordRunning).
    Recorded(Answer<Recording>),
    /// Answers [`Effect::Wait`](crate::Effect::Wait).
    Waited(Answer<()>),
}

/// A run and an attempt as found, whatever they are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Aggregate {
    /// The run, if there is one of that id.
    pub run: Option<Run>,
    /// The attempt, if there is one of that id.
    pub attempt: Option<Attempt>,
}

/// What the receipt processor found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Receipt {
    /// An authentic receipt; its completion is durable now.
    Completed,
    /// The attempt had ended before.
    AlreadyTerminal,
    /// No receipt was published.
    Missing,
    /// A receipt that is not authentic; it is in quarantine.
    Invalid,
    /// The record changed under the processor.
    Stale,
}

/// What the recovery transaction did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// The attempt is lost and its step will be dispatched again.
    Requeued,
    /// The attempt is lost and its step failed.
    Failed,
    /// The attempt had ended before.
    AlreadyRecovered,
    /// The record is not the one that was passed in; nothing changed.
    Stale,
}

/// What the inspector can say about the process behind a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Inspection {
    /// A process runs.
    Running {
        /// The process that the handle stands for.
        identity_pid: i64,
    },
    /// The process is certainly gone.
    NotRunning {
        /// The process that the handle stood for.
        identity_pid: i64,
    },
    /// Nothing can be said.
    Unknown {
        /// Why not.
        reason: UnknownReason,
    },
}

/// Why the inspector can say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownReason {
    /// The handle is not one of this inspector's.
    InvalidHandle,
    /// Processes cannot be inspected here.
    UnsupportedPlatform,
    /// The evidence exists but cannot be had at the moment.
    ProviderUnavailable,
}

/// Whether the running process could be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Recording {
    /// It is durable now.
    Applied,
    /// The record is not the one that was passed in, or may not become running.
    Rejected,
}

/// Fresh ids for the two events of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EventIds {
    /// Of the attempt's event; drawn first.
    pub attempt_event: String,
    /// Of the step's mutation; drawn second.
    pub step_mutation: String,
}
