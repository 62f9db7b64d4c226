//! What the hardened variant answers otherwise than recorded, and the knobs that each such answer is owed to.
//!
//! Hardened is pinned by difference: a step may differ only where removing named knobs restores its recorded answer.

mod search;
mod table;

use crate::{Format, FormatError, WalkError, formats, run::read, walk};
use search::Search;
use serde_json::Value;
use std::{
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use thiserror::Error;

/// Every step of some scenarios that hardened answers otherwise than recorded. Its text is the table to commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    knobs: Vec<&'static str>,
    steps: Vec<DifferingStep>,
}

/// A step that hardened answers otherwise than recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferingStep {
    /// The scenario: the name of its file.
    pub scenario: String,
    /// The step, e.g. `3 complete`.
    pub step: String,
    /// The sets of knobs of which each restores the recorded answer when it is removed; none if none does.
    pub owed_to: Vec<Vec<&'static str>>,
}

/// Why differences could not be searched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DifferenceError {
    /// The files could not be listed.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// A file cannot be read or is no vector.
    #[error("{}: {what}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong and what would be right.
        what: String,
    },
    /// A file cannot be carried out.
    #[error("{}: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What its format says.
        source: FormatError,
    },
}

impl Difference {
    /// Searches the vectors of one format below a path, on every core that there is.
    pub fn search(format_id: &str, path: &Path) -> Result<Self, DifferenceError> {
        let known = formats().iter().find(|format| format.id() == format_id);
        let format = *known.ok_or_else(|| file(path, format!("this build knows no format `{format_id}`")))?;
        let knobs = format.knobs();
        let paths = walk(&[path.to_owned()])?;
        let steps = on_every_core(&paths, |path| differing(format, &knobs, path))?;
        Ok(Self { knobs, steps: steps.into_iter().flatten().collect() })
    }

    /// The steps, in the order of their files.
    pub fn steps(&self) -> &[DifferingStep] {
        &self.steps
    }

    /// The steps that no set of knobs restores.
    pub fn unexplained(&self) -> impl Iterator<Item = &DifferingStep> {
        self.steps.iter().filter(|step| step.owed_to.is_empty())
    }
}

fn differing(
    format: &dyn Format,
    knobs: &[&'static str],
    path: &Path,
) -> Result<Vec<DifferingStep>, DifferenceError> {
    let scenario = read(path).map_err(|what| file(path, what))?;
    if scenario.get("format").and_then(Value::as_str) != Some(format.id()) {
        return Err(file(path, format!("must be of the format `{}`", format.id())));
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let found = Search::new(format, knobs, &scenario).explain();
    let found = found.map_err(|source| DifferenceError::Format { path: path.to_owned(), source })?;
    let step = |(step, owed_to)| DifferingStep { scenario: name.clone().into_owned(), step, owed_to };
    Ok(found.into_iter().map(step).collect())
}

fn file(path: &Path, what: String) -> DifferenceError {
    DifferenceError::File { path: path.to_owned(), what }
}

/// Does the work for each item; the results are in the order of the items, whichever core was faster.
fn on_every_core<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let claim = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < items.len());
        std::iter::from_fn(claim).map(|index| (index, work(&items[index]))).collect::<Vec<_>>()
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
