use crate::{
    Console, Exit,
    arguments::{Arguments, Command},
    bench, check, conform, digest,
    engines::Engines,
    explore, frontier, list, merge, replay, selftest, serve, sim, torture, vectors,
};
use clap::{CommandFactory, FromArgMatches, builder::PossibleValuesParser, error::ErrorKind};
use holdover::AnyScenario;
use std::ffi::OsString;

/// Runs one command: the first argument is the program's name, as in [`std::env::args_os`].
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    scenarios: &[&dyn AnyScenario],
    console: &mut Console<'_>,
) -> Exit {
    run_with(arguments, &Engines::worlds(scenarios), console)
}

/// Runs one command, as [`run`] does, where there are more engines than that of worlds.
pub fn run_with(
    arguments: impl IntoIterator<Item = OsString>,
    engines: &Engines<'_>,
    console: &mut Console<'_>,
) -> Exit {
    let arguments = match parse(arguments, engines) {
        Ok(arguments) => arguments,
        Err(error) => return explain(&error, console),
    };
    let worlds = engines.of(None);
    let result = match &arguments.command {
        Command::Sim(arguments) => sim::sim(arguments, engines.of(arguments.engine.as_deref()), console),
        Command::Explore(arguments) => explore::explore(arguments, worlds, console),
        Command::Merge(arguments) => merge::merge(arguments, console),
        Command::Replay(arguments) => replay::replay(arguments, worlds, console),
        Command::Frontier(arguments) => frontier::frontier(arguments, worlds, console),
        Command::Vectors(arguments) => vectors::vectors(arguments, console),
        Command::Check(arguments) => check::check(arguments, console),
        Command::Serve(arguments) => serve::serve(arguments, console),
        Command::Selftest(arguments) => selftest::selftest(arguments, engines, console),
        Command::Conform(arguments) => conform::conform(arguments, console),
        Command::Bench(arguments) => bench::bench(arguments, console),
        Command::Torture(arguments) => torture::torture(arguments, console),
        Command::TortureWorker(arguments) => torture::torture_worker(arguments),
        Command::StoreNode(arguments) => torture::store_node(arguments, console),
        Command::List => list::list(worlds, console),
        Command::Digest(arguments) => {
            digest::digest(arguments, engines.of(arguments.engine.as_deref()), console)
        }
    };
    result.unwrap_or_else(|error| {
        if !error.is_closed_pipe() {
            console.narrate(format_args!("error: {}", one_line(&error.to_string())));
        }
        error.exit()
    })
}

/// The most characters of an error line: it may quote input of any length.
const ERROR_CHARACTERS_MAX: usize = 1_000;

/// An error as one line, whatever the input that it quotes: control characters are shown, not sent to the terminal.
fn one_line(text: &str) -> String {
    let shown = text.chars().flat_map(|c| {
        let escaped: String = if c.is_control() { c.escape_default().collect() } else { c.to_string() };
        escaped.chars().collect::<Vec<_>>()
    });
    let mut line: String = shown.take(ERROR_CHARACTERS_MAX).collect();
    if text.chars().count() > ERROR_CHARACTERS_MAX {
        line.push_str(" ...");
    }
    line
}

/// Reads the arguments. A program with one engine has no option for it.
fn parse(
    arguments: impl IntoIterator<Item = OsString>,
    engines: &Engines<'_>,
) -> Result<Arguments, clap::Error> {
    let names = engines.names();
    let alone = names.len() == 1;
    let finders = selftest::finders(&names);
    let command = Arguments::command()
        .mut_subcommand("sim", |sim| {
            sim.mut_arg("engine", |engine| engine.hide(alone).value_parser(PossibleValuesParser::new(names)))
        })
        .mut_subcommand("selftest", |selftest| {
            selftest.mut_arg("engine", |engine| engine.value_parser(PossibleValuesParser::new(finders)))
        });
    Arguments::from_arg_matches(&command.try_get_matches_from(arguments)?)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: an error that quotes hostile input is still one readable line.
    #[test]
    fn errors_are_one_line() {
        assert_eq!(one_line("no `a\n\u{1b}[31m`"), "no `a\\n\\u{1b}[31m`");
        let long = "x".repeat(ERROR_CHARACTERS_MAX + 1);
        assert!(one_line(&long).ends_with("x ..."));
    }
}
