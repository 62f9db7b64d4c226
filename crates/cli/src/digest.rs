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
        console.print(line(&choice, seed))?;
    }
    Ok(Exit::Passed)
}

/// The line of one seed; a seed that panics does so in every process, and has the word for its digest.
pub(crate) fn line(choice: &choose::Choice<'_>, seed: u64) -> String {
    let run = choice.scenario.run_seed(&choice.variant, seed).ok().and_then(|report| report.outcome.ok());
    format!("{seed} {}", run.map_or_else(|| "panic".to_owned(), |run| hex(run.digest)))
}
