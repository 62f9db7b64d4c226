use crate::{Console, Exit, arguments::DigestArguments, choose, error::CommandError};
use holdover::{AnyScenario, hex};

/// Prints a line `SEED DIGEST` for each seed.
pub(crate) fn digest(
    arguments: &DigestArguments,
    scenarios: &[&dyn AnyScenario],
    console: &mut Console<'_>,
) -> Result<Exit, CommandError> {
    let scenario = choose::scenario(&arguments.scenario, scenarios)?;
    let choice = choose::in_variant(scenario, Some(&arguments.variant))?;
    for &seed in &arguments.seeds {
        match arguments.trail {
            true => trail(&choice, seed).into_iter().try_for_each(|line| console.print(line))?,
            false => console.print(line(&choice, seed))?,
        }
    }
    Ok(Exit::Passed)
}

/// The line of one seed; a seed that panics does so in every process, and has the word for its digest.
pub(crate) fn line(choice: &choose::Choice<'_>, seed: u64) -> String {
    let run = choice.scenario.run_seed(&choice.variant, seed).ok().and_then(|report| report.outcome.ok());
    format!("{seed} {}", run.map_or_else(|| "panic".to_owned(), |run| hex(run.digest)))
}

/// A line for each event of a seed: the digest after it, and what was told last before it.
pub(crate) fn trail(choice: &choose::Choice<'_>, seed: u64) -> Vec<String> {
    let run = choice.scenario.run_seed(&choice.variant, seed).ok().and_then(|report| report.outcome.ok());
    let Some(run) = run else { return Vec::new() };
    let told = |before: usize| match run.lines[..before.min(run.lines.len())].last() {
        Some(line) => format!("after `{} {}` at {} ms", line.node, line.text, line.at_ms),
        None => "before anything was told".to_owned(),
    };
    run.trail.iter().map(|&(digest, before)| format!("{} {}", hex(digest), told(before))).collect()
}
