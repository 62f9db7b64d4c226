use std::fmt;

/// When the server has on disk what it has answered, as its settings said when the store connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// `appendfsync always`: before it answers.
    Always,
    /// `appendfsync everysec`: about a second later. A crash of the machine takes the last second with it.
    EverySecond,
    /// `appendfsync no`: when the operating system pleases.
    System,
    /// `appendonly no`: with the next snapshot, if there is one.
    Snapshot,
    /// The server does not tell its settings.
    Untold,
}

impl Durability {
    /// What these settings mean; `None` for one that is not told.
    pub(crate) fn of(append_only: Option<&str>, append_fsync: Option<&str>) -> Self {
        match (append_only, append_fsync) {
            (Some("no"), _) => Self::Snapshot,
            (Some(_), Some("always")) => Self::Always,
            (Some(_), Some("everysec")) => Self::EverySecond,
            (Some(_), Some("no")) => Self::System,
            _ => Self::Untold,
        }
    }
}

impl fmt::Display for Durability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Always => "appendfsync always: what is answered is on disk",
            Self::EverySecond => "appendfsync everysec: a crash may take about the last second",
            Self::System => "appendfsync no: a crash takes what the operating system has not written yet",
            Self::Snapshot => "appendonly no: a crash takes everything since the last snapshot",
            Self::Untold => "the server does not tell whether what is answered is on disk",
        })
    }
}
