//! The command `sim`: a campaign of each chosen scenario, judged and reported.

mod campaign;
mod clock;
mod judge;
mod progress;
mod recheck;
mod summary;
mod traces;

use crate::{Console, Exit, arguments::SimArguments, choose, error::CommandError};
use campaign::Campaign;
use clock::Budget;
use holdover::AnyScenario;

/// Runs the campaigns one after the other; the worst of their ends is the end of the command.
pub(crate) fn sim(
    arguments: &SimArguments,
    scenarios: &[&dyn AnyScenario],
    console: &mut Console<'_>,
) -> Result<Exit, CommandError> {
    let choices = choose::choose(&arguments.scenarios, arguments.variant.as_deref(), scenarios)?;
    if arguments.out.exists() && !arguments.out.is_dir() {
        return Err(CommandError::OutIsNoFolder { path: arguments.out.clone() });
    }
    let budget = Budget::begin(arguments.time_budget);
    let mut exit = Exit::Passed;
    let mut objects = Vec::new();
    for (index, choice) in choices.iter().enumerate() {
        let deadline = budget.share(choices.len() - index);
        let mut campaign = Campaign::run(choice, arguments, deadline, console)?;
        exit = exit.worst(traces::write(&mut campaign.report, &arguments.out, console));
        let problems = judge::judge(&campaign);
        exit = problems.iter().fold(exit, |exit, problem| exit.worst(problem.exit));
        if arguments.json {
            objects.push(campaign.to_json());
        }
        tell(&summary::text(&campaign, &problems, console), arguments, console)?;
        if console.stopped() {
            exit = Exit::Interrupted;
            break;
        }
    }
    if arguments.json {
        console.print(format_args!("[{}]", objects.join(",")))?;
    }
    Ok(exit)
}

/// The text is the result, unless the result is JSON: then it is narration.
fn tell(text: &str, arguments: &SimArguments, console: &mut Console<'_>) -> Result<(), CommandError> {
    match (arguments.json, arguments.quiet) {
        (false, _) => console.print(text),
        (true, false) => {
            console.narrate(text);
            Ok(())
        }
        (true, true) => Ok(()),
    }
}
