use crate::{
    Console, Exit,
    arguments::{Arguments, Command},
    digest, list, replay, sim, vectors,
};
use clap::{Parser, error::ErrorKind};
use holdover::AnyScenario;
use std::ffi::OsString;

/// Runs one command: the first argument is the program's name, as in [`std::env::args_os`].
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    scenarios: &[&dyn AnyScenario],
    console: &mut Console<'_>,
) -> Exit {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return explain(&error, console),
    };
    let result = match &arguments.command {
        Command::Sim(arguments) => sim::sim(arguments, scenarios, console),
        Command::Replay(arguments) => replay::replay(arguments, scenarios, console),
        Command::Vectors(arguments) => vectors::vectors(arguments, console),
        Command::List => list::list(scenarios, console),
        Command::Digest(arguments) => digest::digest(arguments, scenarios, console),
    };
    result.unwrap_or_else(|error| {
        if !error.is_closed_pipe() {
            console.narrate(format_args!("error: {error}"));
        }
        error.exit()
    })
}

/// Help goes to standard output as it is; an error becomes one line: what is wrong, and the hint if there is one.
fn explain(error: &clap::Error, console: &mut Console<'_>) -> Exit {
    let text = error.render().to_string();
    if !error.use_stderr() {
        return console.print(text.trim_end()).map_or_else(|error| error.exit(), |()| Exit::Passed);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        console.narrate("error: no command given; `holdover help` lists them");
        return Exit::Usage;
    }
    let mut lines = text.lines().map(str::trim);
    let what: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let hints: String =
        lines.filter_map(|line| line.strip_prefix("tip: ")).map(|hint| format!("; {hint}")).collect();
    console.narrate(format_args!("{}{hints}", what.join(" ")));
    Exit::Usage
}
