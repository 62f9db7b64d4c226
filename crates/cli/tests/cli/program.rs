use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// The toy program, in an empty folder of its own.
pub(crate) struct Program {
    folder: TempDir,
}

/// What one run of it gave.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Program {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// Where cargo has put the example, beside the program of this package.
    pub(crate) fn path() -> PathBuf {
        let built = Path::new(env!("CARGO_BIN_EXE_holdover")).parent().unwrap();
        built.join("examples").join(format!("toy{}", std::env::consts::EXE_SUFFIX))
    }

    /// Runs it with the arguments that the line holds, divided by blanks.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_with(line, &[])
    }

    /// The same with these variables in the environment, and none that a CI machine has set.
    pub(crate) fn run_with(&self, line: &str, variables: &[(&str, &str)]) -> Ran {
        let mut command = Command::new(Self::path());
        command.args(line.split_whitespace()).current_dir(self.folder.path());
        command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
        let output = command.envs(variables.iter().copied()).output().unwrap();
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a command of the shell, to which the folder's own programs are known, and says how it ended.
    #[cfg(unix)]
    pub(crate) fn shell(&self, command: &str, variables: &[(&str, &str)]) -> Option<i32> {
        let path = format!("{}:{}", self.folder.path().display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("bash");
        shell.args(["-e", "-o", "pipefail", "-c", command]).current_dir(self.folder.path());
        shell.env_remove("GITHUB_ACTIONS").env("PATH", path).envs(variables.iter().copied());
        shell.output().unwrap().status.code()
    }

    /// Writes a program that [`Self::shell`] finds by its name.
    #[cfg(unix)]
    pub(crate) fn write_program(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        self.write(name, text);
        fs::set_permissions(self.folder.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// The names of everything in a folder of it, in order; none for a folder that is not there.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join(folder)).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}
