//! The command `frontier`: how far clocks may err, and workers pause, before an invariant falls.

use crate::{Console, Exit, arguments::FrontierArguments, choose, error::CommandError, threads};
use holdover::{AnyFrontier, AnyScenario, FrontierOptions, FrontierReport};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const LAYOUT: &str = "frontier {bar:40} {human_pos}/{human_len} sizes, {eta} left";

/// Measures a scenario and prints the limits that were found. It judges nothing: an error beyond the promise may
/// break what was promised.
pub(crate) fn frontier(
    arguments: &FrontierArguments,
    scenarios: &[&dyn AnyScenario],
    console: &mut Console<'_>,
) -> Result<Exit, CommandError> {
    let scenario = choose::scenario(&arguments.scenario, scenarios)?;
    let Some(frontier) = scenario.frontier() else {
        return Err(CommandError::NoFrontier { scenario: scenario.id() });
    };
    let Some(report) = measure(&*frontier, arguments, console) else { return Ok(Exit::Interrupted) };
    if arguments.json {
        console.print(format_args!("[{}]", report.to_json()))?;
    } else {
        console.print(report.to_markdown().trim_end())?;
    }
    Ok(Exit::Passed)
}

fn measure(
    frontier: &dyn AnyFrontier,
    arguments: &FrontierArguments,
    console: &Console<'_>,
) -> Option<FrontierReport> {
    let watched = console.watched && !arguments.json;
    let target = if watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(LAYOUT).expect("the layout is a valid template");
    let bar = ProgressBar::with_draw_target(Some(frontier.sizes()), target).with_style(style);
    let progress = || bar.inc(1);
    let options = FrontierOptions::new(arguments.seeds)
        .threads(threads::threads(arguments.threads))
        .stop(console.stop)
        .progress(&progress);
    let report = frontier.measure(&options).expect("the variants are of the scenario");
    bar.finish_and_clear();
    report
}
