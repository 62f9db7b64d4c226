use std::process::ExitCode;

/// How a command ended. The numbers are part of the interface: CI tells apart what to do by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// Everything held.
    Passed,
    /// Something that must never happen has happened.
    Safety,
    /// The command line, or a file that it names, is not as it should be.
    Usage,
    /// Something that must happen in the end has not, and nothing worse was found.
    Liveness,
    /// The same seed gave two different runs.
    Nondeterminism,
    /// A planted bug was not found, or not by the invariant named beforehand.
    Missed,
    /// A fault, branch or invariant was never met; or a trace is no longer applicable.
    Floor,
    /// The machine does not offer what is needed, such as a place to write to.
    Environment,
    /// A world or a machine panicked.
    Panic,
    /// Stopped by Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Safety => 1,
            Self::Usage => 2,
            Self::Liveness => 3,
            Self::Nondeterminism => 4,
            Self::Missed => 5,
            Self::Floor => 6,
            Self::Environment => 7,
            Self::Panic => 101,
            Self::Interrupted => 130,
        }
    }

    /// The one of two that a caller must hear of: a finding outranks a doubt about the search.
    #[must_use]
    pub fn worst(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }

    fn rank(self) -> usize {
        const RANKS: [Exit; 10] = [
            Exit::Passed,
            Exit::Floor,
            Exit::Missed,
            Exit::Environment,
            Exit::Nondeterminism,
            Exit::Panic,
            Exit::Liveness,
            Exit::Safety,
            Exit::Interrupted,
            Exit::Usage,
        ];
        RANKS.iter().position(|exit| *exit == self).unwrap_or(RANKS.len())
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}
