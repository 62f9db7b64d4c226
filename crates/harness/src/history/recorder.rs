use super::event::{HistoryEvent, Type};
use serde_json::Value;
use std::io::{self, Write};

/// Writes a history, an event a line.
///
/// The order of events is the order of the calls: note an `invoke` before the request is sent, and what came of it
/// after the answer is there. Whoever records from several threads keeps the recorder behind a lock.
///
/// ```
/// use holdover::history::{Recorder, Type};
/// use serde_json::json;
///
/// let mut history = Vec::new();
/// let mut recorder = Recorder::new(&mut history);
/// recorder.record(0, 1, Type::Invoke, "claim", json!({"worker": 1}))?;
/// recorder.record(1_200_000, 1, Type::Ok, "claim", json!({"job": "j1", "attempt": 1, "remaining_ms": 5000}))?;
/// recorder.record(2_000_000, 1, Type::Invoke, "complete", json!({"job": "j1", "attempt": 1}))?;
/// recorder.record_error(9_000_000, 1, Type::Info, "complete", json!({"job": "j1", "attempt": 1}), "timed out")?;
/// assert_eq!(history.iter().filter(|&&byte| byte == b'\n').count(), 4);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Recorder<W> {
    output: W,
    index: u64,
}

impl<W: Write> Recorder<W> {
    /// Begins a history.
    pub fn new(output: W) -> Self {
        Self { output, index: 0 }
    }

    /// Appends an event. The time is in nanoseconds since any moment that all events share; a process that got
    /// [`Type::Info`] does not come up again.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn record(&mut self, time: i64, process: u64, kind: Type, f: &str, value: Value) -> io::Result<()> {
        self.append(time, process, kind, f, value, None)
    }

    /// Appends an event that says why something was refused, or not answered.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn record_error(
        &mut self,
        time: i64,
        process: u64,
        kind: Type,
        f: &str,
        value: Value,
        error: impl Into<String>,
    ) -> io::Result<()> {
        self.append(time, process, kind, f, value, Some(error.into()))
    }

    fn append(
        &mut self,
        time: i64,
        process: u64,
        kind: Type,
        f: &str,
        value: Value,
        error: Option<String>,
    ) -> io::Result<()> {
        let event = HistoryEvent { index: self.index, time, process, kind, f: f.to_owned(), value, error };
        self.index += 1;
        let mut line = serde_json::to_vec(&event)?;
        line.push(b'\n');
        self.output.write_all(&line)
    }

    /// The output, with all events written to it.
    ///
    /// # Errors
    ///
    /// It cannot be flushed.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}
