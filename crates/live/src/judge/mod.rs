//! The judgement of a run: what the workers wrote down, against itself and against what is stored in the end.

mod final_state;
mod merge;

use holdover::history::{HistoryCheck, HistoryError, HistoryReader, HistoryVerdict};
use holdover_store::Store;
use merge::merge;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// How far clocks of processes on one machine are taken to differ over a lease, in milliseconds.
const SLACK_MS: i64 = 250;

/// Something that must not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The invariant that fell.
    pub invariant: String,
    /// What was seen, in a sentence.
    pub what: String,
}

/// What a run came to.
#[derive(Debug, Clone, Default)]
pub struct Judgement {
    /// What was found.
    pub findings: Vec<Finding>,
    /// What the check of the history says.
    pub history: HistoryVerdict,
    /// Jobs of which somebody was told that they were made.
    pub acknowledged_jobs: usize,
    /// Answers that were looked for in what is stored.
    pub acknowledged_writes: usize,
    /// Jobs that are stored.
    pub stored_jobs: u64,
}

impl Judgement {
    /// Whether nothing was found.
    pub fn passed(&self) -> bool {
        self.findings.is_empty()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.invariant, self.what)
    }
}

/// Judges what these tapes say and what this store holds; the merged history is kept in the file.
///
/// # Errors
/// A tape cannot be read, the history cannot be written, or it is none.
pub async fn judge<S: Store>(tapes: &[PathBuf], history: &Path, store: &S) -> io::Result<Judgement> {
    let operations = merge(tapes, history)?;
    let reader = HistoryReader::new(BufReader::new(File::open(history)?));
    let verdict = HistoryCheck::read(reader, SLACK_MS);
    let verdict = verdict.map_err(|error: HistoryError| io::Error::other(error.to_string()))?;
    let mut judgement = Judgement { history: verdict, ..Judgement::default() };
    for violation in judgement.history.report.violations.iter() {
        let (invariant, what) = (violation.invariant.clone(), violation.sentence.clone());
        judgement.findings.push(Finding { invariant, what });
    }
    final_state::judge(&operations, store, &mut judgement).await?;
    Ok(judgement)
}
