use crate::Exit;
use holdover::{MergeError, TraceError, history::HistoryError};
use holdover_vectors::RunError;
use std::{io, path::PathBuf};
use thiserror::Error;

/// Why a command could not do what it was asked to, in one line.
#[derive(Debug, Error)]
pub(crate) enum CommandError {
    #[error("unknown scenario `{name}`; {hint}")]
    UnknownScenario { name: String, hint: String },
    #[error("{whose} no variant `{name}`; {hint}")]
    UnknownVariant { whose: String, name: String, hint: String },
    #[error("scenario {scenario} has no frontier: nothing in it errs by a size")]
    NoFrontier { scenario: &'static str },
    #[error("scenario {scenario} cannot be explored; {hint}")]
    NotExplorable { scenario: &'static str, hint: String },
    #[error("this program knows no scenario")]
    NoScenario,
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}: {source}", path.display())]
    Trace { path: PathBuf, source: TraceError },
    #[error("{}: {source}", path.display())]
    History { path: PathBuf, source: HistoryError },
    #[error("{}: not what `sim --json` prints: {source}", path.display())]
    NoSummaries { path: PathBuf, source: serde_json::Error },
    #[error(transparent)]
    Merge(#[from] MergeError),
    #[error(transparent)]
    Vectors(#[from] RunError),
    #[error("{}: {seeds} of {wanted} seeds do not go with whether the shard was stopped", path.display())]
    WrongCount { path: PathBuf, seeds: u64, wanted: u64 },
    #[error(
        "no planted bug has `{filter}` in its name, class, source or invariant; `docs/selftest.md` lists them"
    )]
    NoPlantedBug { filter: String },
    #[error("no vector was run: none has a format that this program knows")]
    NothingRun,
    #[error("{}: cannot be written: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("--out {}: is no folder; name one to write traces to", path.display())]
    OutIsNoFolder { path: PathBuf },
    #[error("the seeds cannot be run again in a fresh process of {}: {what}", program.display())]
    FreshProcess { program: PathBuf, what: String },
    #[error("cannot listen at {address}: {source}")]
    Unusable { address: std::net::SocketAddr, source: io::Error },
    #[error("everything in this store would be erased; name a store that may be, and add --erase")]
    WouldErase,
    #[error("the store cannot be opened: {0}")]
    Store(String),
    #[error("no server: {0}")]
    Server(String),
    #[error("there is no bug `{name}` for a store; there are: {known}")]
    NoFlaw { name: String, known: String },
    #[error(
        "`memory:` is in no other process, which could be tortured; use sqlite:PATH, postgres://... or redis://..."
    )]
    NothingToTorture,
    #[error("`{name}` is a bug of stores that several processes write: postgres, redis")]
    FlawElsewhere { name: &'static str },
    #[error("the run failed: {0}")]
    Live(String),
    #[error("{store} is named twice; what one lap takes would be missing in the other's")]
    SameStore { store: String },
    #[error("{store}: {why}")]
    Bench { store: String, why: String },
    #[error("standard output cannot be written: {0}")]
    Output(io::Error),
}

impl CommandError {
    /// The system did not do what a live run needs.
    pub(crate) fn live(source: io::Error) -> Self {
        Self::Live(source.to_string())
    }

    /// What the process ends with: the user's input, or the machine.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Unwritable { .. }
            | Self::FreshProcess { .. }
            | Self::Output(_)
            | Self::Store(_)
            | Self::Server(_)
            | Self::Bench { .. }
            | Self::Live(_) => Exit::Environment,
            _ => Exit::Usage,
        }
    }

    /// Whether the reader of the results has gone, as `head` does: nothing that anybody must be told.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
