//! Mutation testing: how many small changes of the protocol and of its invariants some test notices, and how many
//! the simulator notices by itself.

use crate::cargo::{cargo, installed, succeeds};
use serde::Deserialize;
use std::{fs, path::Path};

/// The packages whose tests judge a mutant.
const PACKAGES: [&str; 4] = ["holdover-jobs", "holdover-sim", "holdover-vectors", "holdover-tests"];

/// The tests that judge a mutant. The pinned digest is left out: it notices any change of what a world does, right
/// or wrong, so with it a score would say nothing. Long campaigns are left out for their time.
const TESTS: [&str; 10] =
    ["answers", "any_input", "edges", "model", "wire", "worker", "weaknesses", "jobs", "fuzz", SIMULATOR];

/// Tests in them that take longer than all others together.
const SLOW: [&str; 5] = [
    "hardened_differs_as_the_table_says",
    "any_action_is_survived",
    "any_configuration_is_survived",
    "any_part_in_any_order_is_a_run",
    "hardened_holds_on_every_part",
];

/// The simulator by itself: what campaigns, committed traces and planted bugs notice.
const SIMULATOR: &str = "simulator";

/// What builds and runs one mutant after the other soonest.
const PROFILE: &str = "mutants";

/// So many mutants at a time: a second one is linked while the first is tested.
const JOBS: &str = "2";

/// The least share of viable mutants that the tests must catch, in percent.
const CAUGHT_PERCENT_MIN: usize = 90;

/// Which part of the mutants: every `of`-th one, beginning with the `number`-th.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// Reads `[--shard I/N]`.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self, String> {
        match arguments {
            [] => Ok(Self { number: 1, of: 1 }),
            ["--shard", shard] => {
                let parsed = shard.split_once('/').and_then(|(number, of)| {
                    Some(Self { number: number.parse().ok()?, of: of.parse().ok()? })
                });
                let whole = parsed.filter(|shard| 1 <= shard.number && shard.number <= shard.of);
                whole.ok_or_else(|| format!("--shard takes I/N with 1 <= I <= N, not `{shard}`"))
            }
            ["--shard"] => Err("--shard needs a value, I/N".into()),
            [other, ..] => {
                Err(format!("`{other}` is not an option of cargo xtask mutants; the option is --shard I/N"))
            }
        }
    }
}

#[derive(Debug, Deserialize)]
struct Report {
    outcomes: Vec<Judged>,
}

/// One mutant, or the source as it is, and what the tests said.
#[derive(Debug, Deserialize)]
struct Judged {
    scenario: Scenario,
    summary: String,
    log_path: String,
}

#[derive(Debug, Deserialize)]
enum Scenario {
    Baseline,
    Mutant { name: String },
}

/// Of how many mutants that compile how many were caught.
#[derive(Debug, Default, PartialEq, Eq)]
struct Scores {
    viable: usize,
    caught: usize,
    by_simulator: usize,
    survivors: Vec<String>,
}

/// Mutates, prints both scores and the survivors, and says whether enough was caught.
pub(crate) fn mutants(root: &Path, shard: Shard) -> Result<bool, String> {
    if !installed(root, "mutants") {
        return Err(
            "cargo mutants is missing; install it with: cargo install cargo-mutants --version 27.1.0".into(),
        );
    }
    holds_unmutated(root)?;
    let mut command = cargo(root, &["mutants", "--profile", PROFILE, "--baseline", "skip"]);
    // Every N-th mutant, so that each shard is a fair sample.
    let part = format!("{}/{}", shard.number - 1, shard.of);
    command.args(["--timeout", "120", "--jobs", JOBS, "--sharding", "round-robin", "--shard", &part]);
    command.args(["--test-package", &PACKAGES.join(",")]);
    // The same for building as for running, so that nothing is linked that does not run.
    command.args(binaries().map(|binary| format!("--cargo-arg={binary}")));
    command.args(["--", "--no-fail-fast", "--"]).args(filters());
    // Its exit code says that there are survivors, which the scores say better.
    command.status().map_err(|error| format!("cargo mutants cannot be run: {error}"))?;
    let scores = read(&root.join("mutants.out"))?;
    scores.print();
    Ok(scores.enough())
}

/// The tool's own baseline runs the tests of mutated packages only, so the tests are tried here.
fn holds_unmutated(root: &Path) -> Result<(), String> {
    let mut command = cargo(root, &["test", "--quiet", "--profile", PROFILE]);
    command.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    command.args(binaries()).arg("--").args(filters());
    match succeeds(command) {
        true => Ok(()),
        false => Err("the tests fail without any mutation; see above".into()),
    }
}

/// The tests that are built and run, as arguments of cargo.
fn binaries() -> impl Iterator<Item = String> {
    ["--lib".to_owned()].into_iter().chain(TESTS.iter().map(|test| format!("--test={test}")))
}

/// Which of them are run, as arguments of the tests. All run for each mutant, so that its log says who notices it.
fn filters() -> impl Iterator<Item = &'static str> {
    SLOW.iter().flat_map(|test| ["--skip", test])
}

fn read(folder: &Path) -> Result<Scores, String> {
    let file = folder.join("outcomes.json");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let report: Report =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Scores::of(&report, |log| fs::read_to_string(folder.join(log)).unwrap_or_default()))
}

impl Scores {
    fn of(report: &Report, log: impl Fn(&str) -> String) -> Self {
        let mut scores = Self::default();
        for judged in &report.outcomes {
            let Scenario::Mutant { name } = &judged.scenario else { continue };
            match judged.summary.as_str() {
                "CaughtMutant" => {
                    scores.caught += 1;
                    scores.by_simulator += usize::from(simulator_failed(&log(&judged.log_path)));
                }
                // A mutant that runs for ever is noticed, but nobody can say by whom.
                "Timeout" => scores.caught += 1,
                "MissedMutant" => scores.survivors.push(name.clone()),
                _ => continue,
            }
            scores.viable += 1;
        }
        scores
    }

    fn enough(&self) -> bool {
        self.viable > 0 && self.caught * 100 >= self.viable * CAUGHT_PERCENT_MIN
    }

    fn print(&self) {
        for survivor in &self.survivors {
            println!("survived: {survivor}");
        }
        let share = |caught: usize| {
            let mille = caught * 1_000 / self.viable.max(1);
            format!("{caught} of {} viable mutants, {}.{} %", self.viable, mille / 10, mille % 10)
        };
        println!("caught by all tests: {}", share(self.caught));
        println!("caught by the simulator alone: {}", share(self.by_simulator));
        if !self.enough() {
            eprintln!("error: fewer than {CAUGHT_PERCENT_MIN} % of the viable mutants were caught");
        }
    }
}

/// Whether cargo's list of failed test programs names the simulator.
fn simulator_failed(log: &str) -> bool {
    let named = format!("--test {SIMULATOR}`");
    log.lines().any(|line| line.trim_start().starts_with('`') && line.trim_end().ends_with(&named))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: a shard is a part of what there is, and anything else is said to be wrong.
    #[test]
    fn shards() {
        assert_eq!(Shard::parse(&[]), Ok(Shard { number: 1, of: 1 }));
        assert_eq!(Shard::parse(&["--shard", "2/3"]), Ok(Shard { number: 2, of: 3 }));
        for wrong in ["0/3", "4/3", "1/0", "1", "a/b"] {
            assert!(Shard::parse(&["--shard", wrong]).is_err_and(|error| error.contains("1 <= I <= N")));
        }
        assert!(Shard::parse(&["--shard"]).is_err());
        assert!(Shard::parse(&["--jobs", "2"]).is_err_and(|error| error.contains("--shard I/N")));
    }

    /// Goal: mutants that do not compile do not count, and each that is caught counts for those who caught it.
    #[test]
    fn scores() {
        let mutant = |name: &str, summary: &str| {
            format!(
                r#"{{"scenario":{{"Mutant":{{"name":"{name}","more":1}}}},"summary":"{summary}","log_path":"{name}"}}"#
            )
        };
        let outcomes = [
            r#"{"scenario":"Baseline","summary":"Success","log_path":"baseline"}"#.to_owned(),
            mutant("both", "CaughtMutant"),
            mutant("tests", "CaughtMutant"),
            mutant("endless", "Timeout"),
            mutant("lives", "MissedMutant"),
            mutant("broken", "Unviable"),
        ];
        let text = format!(r#"{{"outcomes":[{}]}}"#, outcomes.join(","));
        let report: Report = serde_json::from_str(&text).expect("a report");
        let log = |name: &str| match name {
            "both" => {
                "error: 2 targets failed:\n    `-p a --lib`\n    `-p holdover-tests --test simulator`\n"
            }
            _ => "error: 1 target failed:\n    `-p a --lib`\nRunning --test simulator\n",
        };
        let scores = Scores::of(&report, |name| log(name).to_owned());
        let want = Scores { viable: 4, caught: 3, by_simulator: 1, survivors: vec!["lives".into()] };
        assert_eq!(scores, want);
        assert!(!scores.enough(), "3 of 4 is too few");
    }
}
