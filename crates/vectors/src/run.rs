use crate::{FileFailure, Format, FormatError, Report, WalkError, Why, formats, walk};
use serde_json::Value;
use std::{
    any::Any,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Why no report could be made. What is wrong with one file is in the report instead.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The files could not be listed.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// No format among the files has the variant.
    #[error("{0}")]
    Variant(String),
}

/// Runs every vector below the paths with the formats of this build.
pub fn run_all(paths: &[PathBuf], variant: &str) -> Result<Report, RunError> {
    run_all_with(formats(), paths, variant)
}

/// Runs every vector below the paths with the formats given.
pub fn run_all_with(formats: &[&dyn Format], paths: &[PathBuf], variant: &str) -> Result<Report, RunError> {
    let mut report = Report::default();
    for path in walk(paths)? {
        match run_file(formats, &path, variant) {
            Verdict::Passed => report.passed += 1,
            Verdict::Failed(why) => report.failed.push(FileFailure { path, why }),
            Verdict::Unknown(format) => *report.unknown.entry(format).or_default() += 1,
            Verdict::WithoutVariant(what) => *report.without_variant.entry(what).or_default() += 1,
        }
    }
    match report.without_variant.keys().next() {
        Some(what) if report.passed == 0 && report.failed.is_empty() => Err(RunError::Variant(what.clone())),
        _ => Ok(report),
    }
}

enum Verdict {
    Passed,
    Failed(Why),
    Unknown(String),
    WithoutVariant(String),
}

fn run_file(formats: &[&dyn Format], path: &Path, variant: &str) -> Verdict {
    let scenario = match read(path) {
        Ok(scenario) => scenario,
        Err(what) => return Verdict::Failed(Why::Error(what)),
    };
    let Some(id) = scenario.get("format").and_then(Value::as_str) else {
        let what = "no text member `format`; a vector names its format there".to_owned();
        return Verdict::Failed(Why::Error(what));
    };
    let Some(format) = formats.iter().find(|format| format.id() == id) else {
        return Verdict::Unknown(id.to_owned());
    };
    // A panic is that file's failure: the formats keep nothing between files that it could have left broken.
    match catch_unwind(AssertUnwindSafe(|| format.run(&scenario, variant))) {
        Ok(Ok(mismatches)) if mismatches.is_empty() => Verdict::Passed,
        Ok(Ok(mismatches)) => Verdict::Failed(Why::Mismatches(mismatches)),
        Ok(Err(error @ FormatError::Variant { .. })) => Verdict::WithoutVariant(format!("{id}: {error}")),
        Ok(Err(error)) => Verdict::Failed(Why::Error(error.to_string())),
        Err(panic) => Verdict::Failed(Why::Panic(message(panic.as_ref()))),
    }
}

/// The JSON document that a file holds, or what is wrong with it.
pub(crate) fn read(path: &Path) -> Result<Value, String> {
    let text = fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    serde_json::from_slice(&text).map_err(|error| format!("not a JSON document: {error}"))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}
