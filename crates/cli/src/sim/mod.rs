//! The command `sim`: a campaign of each chosen scenario, judged and reported.

mod campaign;
mod clock;
mod progress;
mod recheck;
mod traces;

use crate::{
    Console, Exit,
    arguments::SimArguments,
    choose,
    error::CommandError,
    outlet::{Outlet, Told},
};
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
    let mut outlet = Outlet::new(arguments.json, arguments.quiet, arguments.junit.as_deref());
    for (index, choice) in choices.iter().enumerate() {
        let deadline = budget.share(choices.len() - index);
        let mut campaign = Campaign::run(choice, arguments, deadline, console)?;
        exit = exit.worst(traces::write(&mut campaign.report, &arguments.out, console));
        let failures = campaign.report.violations.iter().map(|found| &found.failure);
        let stories = failures.map(|failure| failure.render(console.layout())).collect();
        exit = exit.worst(outlet.tell(Told::new(campaign.summary(arguments.shard), stories), console)?);
        if console.stopped() {
            exit = Exit::Interrupted;
            break;
        }
    }
    Ok(exit.worst(outlet.close(console)?))
}
