use crate::{BenchError, now};
use holdover::history::{HistoryCheck, HistoryEvent, HistoryVerdict, Told};
use std::time::Instant;

/// Clocks do not differ, for there is one.
const SLACK_MS: i64 = 0;

/// The history of a bench, checked as it grows.
#[derive(Debug)]
pub(crate) struct History {
    begin: Instant,
    check: HistoryCheck,
    lines: u64,
}

impl History {
    pub(crate) fn new() -> Self {
        Self { begin: now(), check: HistoryCheck::new(SLACK_MS), lines: 0 }
    }

    /// What the times in it are counted from.
    pub(crate) fn begin(&self) -> Instant {
        self.begin
    }

    /// Takes in what all workers of a lap have noted. One who was answered at the moment at which another asked was
    /// answered before: each reads the clock on its own side of the call.
    pub(crate) fn take(&mut self, mut events: Vec<HistoryEvent<Told>>) -> Result<(), BenchError> {
        events.sort_by_key(|event| event.time);
        for event in events {
            self.lines += 1;
            self.check.event(self.lines, HistoryEvent { index: self.lines, ..event })?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<HistoryVerdict, BenchError> {
        Ok(self.check.finish()?)
    }
}
