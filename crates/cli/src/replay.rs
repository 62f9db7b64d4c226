use crate::{Console, Exit, arguments::ReplayArguments, choose, error::CommandError};
use holdover::{AnyScenario, ReplayReport, Verdict, scenario_of_trace};
use std::fs;

/// Runs a trace again, tells its story and says whether it still fails.
pub(crate) fn replay(
    arguments: &ReplayArguments,
    scenarios: &[&dyn AnyScenario],
    console: &mut Console<'_>,
) -> Result<Exit, CommandError> {
    let path = &arguments.trace;
    let text =
        fs::read_to_string(path).map_err(|source| CommandError::Unreadable { path: path.clone(), source })?;
    let of_trace = |source| CommandError::Trace { path: path.clone(), source };
    let scenario = scenario_of_trace(scenarios, &text).map_err(of_trace)?;
    if let Some(variant) = &arguments.variant {
        choose::in_variant(scenario, Some(variant))?;
    }
    let mut report = scenario.replay(&text, arguments.variant.as_deref()).map_err(of_trace)?;
    let layout = console.layout();
    let story = match &mut report.failure {
        Some(failure) => {
            failure.path = Some(path.display().to_string());
            failure.render(layout)
        }
        None => report.story(layout),
    };
    let (exit, verdict) = judge(&report);
    console.print(format_args!("{story}\n{verdict}"))?;
    Ok(exit)
}

fn judge(report: &ReplayReport) -> (Exit, String) {
    let (scenario, variant) = (report.scenario, &report.variant);
    let (exit, verdict) = match report.verdict {
        Verdict::Reproduced => (Exit::Safety, "reproduced".to_owned()),
        Verdict::NotReproduced => (Exit::Passed, "not reproduced: every action was possible".to_owned()),
        Verdict::NoLongerApplicable { step } => {
            (Exit::Floor, format!("no longer applicable: action {step} is not possible"))
        }
    };
    (exit, format!("{scenario} ({variant}): {verdict}"))
}
