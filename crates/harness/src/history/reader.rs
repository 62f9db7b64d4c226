use super::{error::HistoryError, event::HistoryEvent, told::Told};
use std::io::BufRead;

/// The events of a history as JSON lines, one after the other: only the line at hand is kept.
#[derive(Debug)]
pub struct HistoryReader<R> {
    input: R,
    buffer: Vec<u8>,
    line: u64,
    index: Option<u64>,
}

impl<R: BufRead> HistoryReader<R> {
    /// Reads from here on.
    pub fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), line: 0, index: None }
    }

    fn read(&mut self) -> Result<Option<(u64, HistoryEvent<Told>)>, HistoryError> {
        loop {
            self.buffer.clear();
            if self.input.read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if !self.buffer.trim_ascii().is_empty() {
                return self.event().map(Some);
            }
        }
    }

    fn event(&mut self) -> Result<(u64, HistoryEvent<Told>), HistoryError> {
        let line = self.line;
        let event: HistoryEvent<Told> = serde_json::from_slice(&self.buffer)
            .map_err(|error| HistoryError::Malformed { line, what: what(&error) })?;
        if let Some(after) = self.index.replace(event.index).filter(|after| event.index <= *after) {
            return Err(HistoryError::OutOfOrder { line, index: event.index, after });
        }
        Ok((line, event))
    }
}

/// The events with their lines, counted from 1. Nothing follows an error.
impl<R: BufRead> Iterator for HistoryReader<R> {
    type Item = Result<(u64, HistoryEvent<Told>), HistoryError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// What the parser says, with the column; it knows no line but the one it was given.
fn what(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(text) => format!("{text} (column {})", error.column()),
        None => text,
    }
}
