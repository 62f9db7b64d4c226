use crate::Mismatch;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fmt::{self, Display, Formatter},
    path::PathBuf,
};

/// Longer values are cut in the text; the path says where to look for the rest.
const SHOWN_CHARS_MAX: usize = 160;
/// One broken rule tends to show in many places of one file.
const SHOWN_MISMATCHES_MAX: usize = 5;
const WRAPPED_COLUMNS: usize = 110;

/// What became of a set of vectors. Its text ends with the line `N passed, N failed`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// How many files gave the expected answers.
    pub passed: u64,
    /// The files that did not.
    pub failed: Vec<FileFailure>,
    /// How many files were not run, by the format that this build does not know.
    pub unknown: BTreeMap<String, u64>,
    /// How many files were not run, by what their format says of a variant that it does not have.
    pub without_variant: BTreeMap<String, u64>,
}

/// A file that did not pass.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFailure {
    /// The file.
    pub path: PathBuf,
    /// Why it did not pass.
    pub why: Why,
}

/// Why a file did not pass.
#[derive(Debug, Clone, PartialEq)]
pub enum Why {
    /// Answers differ.
    Mismatches(Vec<Mismatch>),
    /// The file could not be carried out.
    Error(String),
    /// Carrying it out panicked: a bug of ours.
    Panic(String),
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for failure in &self.failed {
            writeln!(f, "{failure}")?;
        }
        for (format, count) in &self.unknown {
            writeln!(f, "{count} not run: unknown format `{format}`")?;
        }
        for (what, count) in &self.without_variant {
            writeln!(f, "{count} not run: {what}")?;
        }
        write!(f, "{} passed, {} failed", self.passed, self.failed.len())
    }
}

impl Display for FileFailure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        match &self.why {
            Why::Error(what) => write!(f, ": {what}"),
            Why::Panic(message) => write!(f, ": panicked: {message}"),
            Why::Mismatches(mismatches) => {
                for mismatch in mismatches.iter().take(SHOWN_MISMATCHES_MAX) {
                    write!(f, "\n{mismatch}")?;
                }
                match mismatches.get(SHOWN_MISMATCHES_MAX..) {
                    None | Some([]) => Ok(()),
                    Some(more) => write!(f, "\n{}", rest(more)),
                }
            }
        }
    }
}

/// How many mismatches there are besides, and in which steps.
fn rest(mismatches: &[Mismatch]) -> String {
    let mut steps: Vec<&str> = mismatches.iter().map(|mismatch| mismatch.step.as_str()).collect();
    steps.dedup();
    let text = format!("  ... {} more in steps {}", mismatches.len(), steps.join(", "));
    textwrap::fill(&text, textwrap::Options::new(WRAPPED_COLUMNS).subsequent_indent("      "))
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "  step {}: {}", self.step, self.path)?;
        writeln!(f, "    expected {}", cut(&self.expected))?;
        write!(f, "    got      {}", cut(&self.got))
    }
}

fn cut(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
