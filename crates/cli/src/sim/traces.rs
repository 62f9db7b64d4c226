use crate::{Console, Exit, error::CommandError, keep::keep};
use holdover::CampaignReport;
use std::path::Path;

/// Keeps the trace of every violation as a file in `folder` and notes its path in the report. A trace that cannot
/// be kept must not hide the violation, so that it is only told and weighed.
pub(crate) fn write(report: &mut CampaignReport, folder: &Path, console: &mut Console<'_>) -> Exit {
    let mut exit = Exit::Passed;
    for found in &mut report.violations {
        let name =
            format!("{}-{}-{}.json", report.scenario, report.variant, found.failure.violation.invariant);
        let path = folder.join(name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c), "-"));
        match keep(&path, &found.trace) {
            Ok(()) => found.failure.path = Some(path.display().to_string()),
            Err(source) => {
                let error = CommandError::Unwritable { path, source };
                console.narrate(format_args!("error: {error}"));
                exit = exit.worst(error.exit());
            }
        }
    }
    exit
}
