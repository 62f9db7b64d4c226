//! The command `explore`: every state of a scenario within a scope.

mod arguments;
mod memory;
mod report;

use crate::{Console, Exit, choose, error::CommandError};
use crate::{keep::keep as keep_trace, number::grouped, threads::threads};
pub(crate) use arguments::ExploreArguments;
use holdover::{AnyScenario, Ending, Exploration, ExploreOptions, Progress, Scope};
use std::cell::Cell;
use std::sync::atomic::Ordering;

/// Explores the scenario, and says what was found.
pub(crate) fn explore(
    arguments: &ExploreArguments,
    scenarios: &[&dyn AnyScenario],
    console: &mut Console<'_>,
) -> Result<Exit, CommandError> {
    let choice =
        choose::in_variant(choose::scenario(&arguments.scenario, scenarios)?, arguments.variant.as_deref())?;
    let Some(explorable) = choice.scenario.explorable() else {
        let can = scenarios.iter().filter(|scenario| scenario.explorable().is_some());
        let names: Vec<&str> = can.map(|scenario| scenario.id()).collect();
        let hint =
            format!("these can: {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") });
        return Err(CommandError::NotExplorable { scenario: choice.scenario.id(), hint });
    };
    if arguments.out.exists() && !arguments.out.is_dir() {
        return Err(CommandError::OutIsNoFolder { path: arguments.out.clone() });
    }
    let full = Cell::new(false);
    let stop = console.stop;
    let watch = |_: Progress| {
        full.set(memory::resident_mb().is_some_and(|size| size > arguments.memory));
        !full.get() && !stop.load(Ordering::Relaxed)
    };
    let options = ExploreOptions {
        states: arguments.states,
        threads: threads(arguments.threads).get(),
        exact: arguments.exact,
        only: None,
        watch: &watch,
    };
    let scope = scope(arguments, explorable.scope());
    let explored = explorable
        .explore(&choice.variant, &scope, &options)
        .expect("the variant was found among the scenario's");
    finish(explored, full.get(), arguments, console)
}

fn scope(arguments: &ExploreArguments, own: Scope) -> Scope {
    let given = &arguments.scope;
    Scope {
        workers: given.workers.unwrap_or(own.workers),
        jobs: given.job_count.unwrap_or(own.jobs),
        in_flight: given.in_flight.unwrap_or(own.in_flight),
        crashes: given.crashes.unwrap_or(own.crashes),
        dups: given.dups.unwrap_or(own.dups),
        clock_steps: given.clock_steps.unwrap_or(own.clock_steps),
    }
}

/// Keeps the trace, prints the report and says how it ended.
fn finish(
    mut explored: Exploration,
    full: bool,
    arguments: &ExploreArguments,
    console: &mut Console<'_>,
) -> Result<Exit, CommandError> {
    let mut exit = match explored.ending {
        Ending::Closed => Exit::Passed,
        Ending::Violated(_) => Exit::Safety,
        Ending::Wedged(_) => Exit::Liveness,
        Ending::Stopped if console.stopped() => Exit::Interrupted,
        Ending::Stopped => Exit::Floor,
    };
    exit = exit.worst(keep(&mut explored, arguments, console));
    let why = match full {
        _ if console.stopped() => "by Ctrl-C".to_owned(),
        true => format!("as it has grown to {} MB", grouped(arguments.memory)),
        false => format!("at its budget of {} states", grouped(arguments.states)),
    };
    let text = report::text(&explored, &why, console.layout());
    if arguments.json {
        console.narrate(text);
        console.print(report::json(&explored))?;
    } else {
        console.print(text)?;
    }
    Ok(exit)
}

/// Writes the trace, if there is one. A trace that cannot be kept must not hide what was found.
fn keep(explored: &mut Exploration, arguments: &ExploreArguments, console: &mut Console<'_>) -> Exit {
    let (scenario, variant) = (explored.scenario, explored.variant.clone());
    let (Ending::Violated(found) | Ending::Wedged(found)) = &mut explored.ending else { return Exit::Passed };
    let invariant = found.failure.as_ref().map_or("never-wedged", |failure| &failure.violation.invariant);
    let name = format!("{scenario}-{variant}-{invariant}.json");
    let path =
        arguments.out.join(name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c), "-"));
    match keep_trace(&path, &found.trace) {
        Ok(()) => {
            if let Some(failure) = &mut found.failure {
                failure.path = Some(path.display().to_string());
            }
            Exit::Passed
        }
        Err(source) => {
            let error = CommandError::Unwritable { path, source };
            console.narrate(format_args!("error: {error}"));
            error.exit()
        }
    }
}
