use std::{
    fmt::{self, Display, Formatter},
    path::PathBuf,
};

/// One place that breaks a rule of ours, printed as `path:line: what`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Relative to the workspace.
    pub(crate) path: PathBuf,
    pub(crate) line: usize,
    /// What is wrong and what to do instead.
    pub(crate) what: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.what)
    }
}
