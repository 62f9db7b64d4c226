use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why there is no server.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The program is not installed.
    #[error("{program} is not installed: install the Debian package {package}")]
    Missing {
        /// The program.
        program: &'static str,
        /// The Debian package that has it.
        package: &'static str,
    },
    /// The program does not run as root, and there is no other account to run it as.
    #[error("{0} does not run as root, and there is neither an account `postgres` nor `nobody` to run it as")]
    Root(&'static str),
    /// The program has ended instead of serving.
    #[error("{program} did not start: {said}")]
    Refused {
        /// The program.
        program: &'static str,
        /// The last of what it wrote.
        said: String,
    },
    /// A file or process could not be used.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: String,
        /// What went wrong.
        source: io::Error,
    },
}

impl ServerError {
    /// Says what was being done when this went wrong.
    pub(crate) fn doing(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }

    pub(crate) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        Self::doing(path.into().display().to_string())
    }
}
