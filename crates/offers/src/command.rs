use crate::{
    Invalid, Text,
    check::{absolute_path, ensure, no_nul},
};
use serde::{Deserialize, Serialize};

/// The most arguments a command may have.
pub const ARGUMENTS_MAX: usize = 4096;
/// The most UTF-8 bytes of a command.
pub const COMMAND_BYTES_MAX: usize = 131_072;

/// What the local process executes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Command {
    /// A program with its arguments.
    Argv {
        /// The program.
        file: Text,
        /// Its arguments.
        args: Vec<Text>,
    },
    /// A text for a shell.
    Shell {
        /// The text.
        command: Text,
        /// The shell; the worker's own if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        shell: Option<Text>,
    },
}

impl Command {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let bytes = match self {
            Self::Argv { file, args } => {
                ensure(!file.is_empty(), "executionSpec.command.file", "must not be empty")?;
                no_nul("executionSpec.command.file", file)?;
                ensure(args.len() <= ARGUMENTS_MAX, "executionSpec.command.args", "must be at most 4096")?;
                args.iter().try_for_each(|arg| no_nul("executionSpec.command.args", arg))?;
                file.len() + args.iter().map(|arg| arg.len()).sum::<usize>()
            }
            Self::Shell { command, shell } => {
                ensure(!command.is_empty(), "executionSpec.command.command", "must not be empty")?;
                no_nul("executionSpec.command.command", command)?;
                shell.as_ref().map_or(Ok(()), |path| absolute_path("executionSpec.command.shell", path))?;
                command.len()
            }
        };
        ensure(bytes <= COMMAND_BYTES_MAX, "executionSpec.command", "must be at most 131072 UTF-8 bytes")
    }
}
