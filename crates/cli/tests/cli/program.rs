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
        let mut command = Command::new(Self::path());
        let output = command.args(line.split_whitespace()).current_dir(self.folder.path()).output().unwrap();
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
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
