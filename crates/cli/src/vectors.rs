use crate::{Console, Exit, arguments::VectorsArguments, error::CommandError};
use holdover_vectors::run_all;

/// Runs golden vectors and prints which of them failed and where.
pub(crate) fn vectors(arguments: &VectorsArguments, console: &mut Console<'_>) -> Result<Exit, CommandError> {
    let report = run_all(&arguments.paths, &arguments.variant)?;
    console.print(&report)?;
    if !report.failed.is_empty() {
        Ok(Exit::Safety)
    } else if report.passed == 0 {
        Err(CommandError::NothingRun)
    } else {
        Ok(Exit::Passed)
    }
}
