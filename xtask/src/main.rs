//! The workspace's own chores, as a program instead of scripts: `cargo xtask verify`, `fix`, `bless`, `test`,
//! `fuzz` and `mutants`.

mod bless;
mod cargo;
mod finding;
mod fuzz;
mod graph;
mod layers;
mod mutants;
mod servers;
mod source;
mod tally;
mod test;
mod verify;

use std::{
    env,
    path::{Path, PathBuf},
    process::ExitCode,
};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  verify   format, lints, documentation, layers and source rules; writes nothing
  fix      formats, and applies what clippy can fix
  bless    rewrites the committed digests, to be run when a world changes on purpose
  test     [--embedded | --install]: verify, then every test of the workspace; the last line says how many passed and
           failed. --embedded leaves out the tests that start servers, --install installs the servers that are missing
  fuzz     TARGET [--seconds N] [--plant BUG]: fuzzes jobs_commands, jobs_world or jobs_request
  mutants  [--shard I/N]: mutates the protocol and its invariants and prints which share the tests catch";

fn main() -> ExitCode {
    if let Some(name) = cargo::overriding_flags() {
        eprintln!(
            "error: {name} is set and replaces the flags of .cargo/config.toml that the workspace needs; unset it"
        );
        return ExitCode::from(2);
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let passed = match arguments[..] {
        ["verify"] => verify::verify(&root()).passed(),
        ["fix"] => verify::fix(&root()),
        ["bless"] => bless::bless(&root()),
        ["test", ..] => match test::Options::parse(&arguments[1..]) {
            Ok(options) => test::test(&root(), options),
            Err(error) => return usage(&error),
        },
        ["fuzz", ..] => match fuzz::Options::parse(&arguments[1..]) {
            Ok(options) => done(fuzz::fuzz(&root(), &options)),
            Err(error) => return usage(&error),
        },
        ["mutants", ..] => match mutants::Shard::parse(&arguments[1..]) {
            Ok(shard) => done(mutants::mutants(&root(), shard)),
            Err(error) => return usage(&error),
        },
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            true
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether it went well; says why where it could not be done.
fn done(outcome: Result<bool, String>) -> bool {
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        false
    })
}

fn usage(error: &str) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(2)
}

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}
