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
    let variants = match arguments.variant.as_deref() {
        Some(_) => vec![choose::in_variant(scenario, arguments.variant.as_deref())?.variant],
        None => frontier.variants().iter().map(|&variant| variant.to_owned()).collect(),
    };
    let Some(report) = measure(&*frontier, &variants, arguments, console) else {
        return Ok(Exit::Interrupted);
    };
    if arguments.json {
        console.print(format_args!("[{}]", report.to_json()))?;
    } else {
        console.print(report.to_markdown().trim_end())?;
    }
    Ok(Exit::Passed)
}

fn measure(
    frontier: &dyn AnyFrontier,
    variants: &[String],
    arguments: &FrontierArguments,
    console: &Console<'_>,
) -> Option<FrontierReport> {
    let watched = console.watched && !arguments.json;
    let target = if watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(LAYOUT).expect("the layout is a valid template");
    let bar = ProgressBar::with_draw_target(Some(frontier.sizes() * variants.len() as u64), target)
        .with_style(style);
    let progress = || bar.inc(1);
    let options = FrontierOptions::new(arguments.seeds.unwrap_or_else(|| frontier.seeds()))
        .threads(threads::threads(arguments.threads))
        .stop(console.stop)
        .progress(&progress);
    let variants: Vec<&str> = variants.iter().map(String::as_str).collect();
    let report = frontier.measure(&variants, &options).expect("the variants are of the scenario");
    bar.finish_and_clear();
    report
}
