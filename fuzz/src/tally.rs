use cpu_time::ProcessTime;
use holdover_sim::jobs::fuzz::Outcome;
use serde::Serialize;
use std::{collections::BTreeMap, fs, time::Instant};

/// Every so many inputs the tally is written down.
const WRITE_EVERY: u64 = 1_024;

/// How much all inputs so far did, kept in a file for whoever has started the fuzzer.
#[derive(Debug, Serialize)]
pub(crate) struct Tally {
    #[serde(skip)]
    file: Option<String>,
    #[serde(skip)]
    begun: Instant,
    executions: u64,
    applied: u64,
    idle: u64,
    /// Processor time of the whole process, with what the fuzzer itself takes.
    cpu_ms: u128,
    /// Time that has passed since the target began.
    wall_ms: u128,
    /// The rule that is broken.
    found: Option<String>,
    /// The other rules that fell while a planted bug was looked for, and how often.
    strays: BTreeMap<String, u64>,
}

impl Tally {
    pub(crate) fn new(file: Option<String>) -> Self {
        Self {
            file,
            begun: Instant::now(),
            executions: 0,
            applied: 0,
            idle: 0,
            cpu_ms: 0,
            wall_ms: 0,
            found: None,
            strays: BTreeMap::new(),
        }
    }

    pub(crate) fn count(&mut self, outcome: &Outcome) {
        self.executions += 1;
        self.applied += u64::from(outcome.applied);
        self.idle += u64::from(outcome.applied == 0);
        if self.executions.is_multiple_of(WRITE_EVERY) {
            self.write();
        }
    }

    /// What was looked for has fallen.
    pub(crate) fn find(&mut self, rule: &str) {
        self.found = Some(rule.to_owned());
        self.write();
    }

    /// Another rule has fallen than the one that is looked for.
    pub(crate) fn stray(&mut self, rule: &str) {
        match self.strays.get_mut(rule) {
            Some(times) => *times += 1,
            None => {
                self.strays.insert(rule.to_owned(), 1);
            }
        }
    }

    /// Best effort: who reads the file sees that nothing is in it.
    fn write(&mut self) {
        self.cpu_ms = ProcessTime::now().as_duration().as_millis();
        self.wall_ms = self.begun.elapsed().as_millis();
        if let (Some(file), Ok(json)) = (&self.file, serde_json::to_vec(self)) {
            let _ = fs::write(file, json);
        }
    }
}
