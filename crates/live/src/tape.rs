use holdover::history::Type;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// What one process writes down of what it asks and is told: a line for each event, in its file at once, so that a
/// kill loses nothing that was written.
#[derive(Debug)]
pub struct Tape {
    file: File,
    process: u64,
}

impl Tape {
    /// A tape of a process whose askers are numbered from here on. Numbers must not meet those of other tapes.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path, first_process: u64) -> io::Result<Self> {
        Ok(Self { file: OpenOptions::new().create(true).append(true).open(path)?, process: first_process })
    }

    /// Something is about to be asked.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn asked(&mut self, f: &str, value: &Value) -> io::Result<()> {
        self.write(Type::Invoke, f, value, None)
    }

    /// What came of it. Who was not answered does not ask again under the same number.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn told(&mut self, outcome: Type, f: &str, value: &Value, error: Option<&str>) -> io::Result<()> {
        self.write(outcome, f, value, error)?;
        self.process += u64::from(outcome == Type::Info);
        Ok(())
    }

    fn write(&mut self, kind: Type, f: &str, value: &Value, error: Option<&str>) -> io::Result<()> {
        let mut line = json!({
            "index": 0, "time": nanoseconds(), "process": self.process, "type": kind.as_str(), "f": f,
            "value": value,
        });
        if let Some(error) = error {
            line["error"] = error.into();
        }
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}

/// The wall clock: the one that processes share.
#[expect(clippy::disallowed_methods, reason = "the live engine is where clocks are read")]
pub(crate) fn nanoseconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
