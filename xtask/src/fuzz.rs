//! Fuzzing with libFuzzer on the stable toolchain, and what the inputs did in the end.

use crate::cargo::{cargo, installed};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
};

/// The targets, and the most bytes of their inputs: in those of `jobs_commands` about nine operations change something,
/// those of `jobs_request` hold the text of a whole request.
const TARGETS: [(&str, u32); 3] = [("jobs_commands", 48), ("jobs_world", 128), ("jobs_request", 512)];

/// More inputs than this share that do nothing, in percent, and the target tests too little.
const IDLE_PERCENT_MAX: u64 = 50;

/// What is to be fuzzed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    target: &'static str,
    input_bytes_max: u32,
    seconds: u32,
    /// The planted bug that is to be found, from nothing.
    plant: Option<String>,
}

impl Options {
    /// Reads `TARGET [--seconds N] [--plant BUG]`.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self, String> {
        let Some((target, mut rest)) = arguments.split_first() else {
            return Err(format!("cargo xtask fuzz needs a target: {}", targets()));
        };
        let Some(&(target, input_bytes_max)) = TARGETS.iter().find(|(known, _)| known == target) else {
            return Err(format!("`{target}` is not a fuzz target; targets are {}", targets()));
        };
        let mut options = Self { target, input_bytes_max, seconds: 60, plant: None };
        while let [name, value, after @ ..] = rest {
            match *name {
                "--seconds" => match value.parse() {
                    Ok(seconds) if seconds > 0 => options.seconds = seconds,
                    _ => return Err(format!("--seconds takes a number from 1, not `{value}`")),
                },
                "--plant" => options.plant = Some((*value).to_owned()),
                _ => return Err(unknown(name)),
            }
            rest = after;
        }
        match rest.first() {
            None => Ok(options),
            Some(name) if ["--seconds", "--plant"].contains(name) => Err(format!("{name} needs a value")),
            Some(name) => Err(unknown(name)),
        }
    }
}

fn targets() -> String {
    TARGETS.map(|(name, _)| name).join(", ")
}

fn unknown(name: &str) -> String {
    format!("`{name}` is not an option of cargo xtask fuzz; options are --seconds N and --plant BUG")
}

/// What a target has counted over all its inputs: see `fuzz/src/tally.rs`.
#[derive(Debug, Default, Deserialize)]
struct Tally {
    executions: u64,
    applied: u64,
    idle: u64,
    cpu_ms: u64,
    wall_ms: u64,
    found: Option<String>,
    strays: BTreeMap<String, u64>,
}

impl Tally {
    fn idle_percent(&self) -> u64 {
        self.idle * 100 / self.executions.max(1)
    }

    fn sentence(&self) -> String {
        let Self { executions, applied, idle, cpu_ms, .. } = self;
        let rate = executions * 1_000 / cpu_ms.max(&1);
        let (whole, tenth) = (applied / executions.max(&1), applied * 10 / executions.max(&1) % 10);
        format!(
            "{executions} executions, {rate} a CPU second, {whole}.{tenth} applied operations on average, \
             {idle} inputs ({} %) applied nothing",
            self.idle_percent()
        )
    }

    /// Whether a planted bug was found, and what else fell: only the invariant that is named for it is a find.
    fn find(&self, bug: &str, seconds: u32) -> Result<String, String> {
        let strays: String = self
            .strays
            .iter()
            .map(|(rule, times)| format!("; {times} inputs fell by {rule}, not by the named one"))
            .collect();
        let after = format!("{}.{:02} s", self.wall_ms / 1_000, self.wall_ms % 1_000 / 10);
        match &self.found {
            Some(rule) => Ok(format!("{bug} was found by {rule} after {after}{strays}")),
            None => Err(format!("{bug} was not found in {seconds} s{strays}")),
        }
    }
}

/// Fuzzes, prints what the inputs did, and says whether it went as it should: no rule broken, and most inputs doing
/// something; or, with a planted bug, that it was found.
pub(crate) fn fuzz(root: &Path, options: &Options) -> Result<bool, String> {
    if !installed(root, "fuzz") {
        return Err(
            "cargo fuzz is missing; install it with: cargo install cargo-fuzz --version 0.13.2".into()
        );
    }
    // What a planted bug leaves behind is no regression of ours, and it starts from an empty corpus each time.
    let scratch = root.join("fuzz/target/planted");
    if options.plant.is_some() {
        renew(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    }
    let tally_file = root.join(format!("fuzz/target/{}.tally.json", options.target));
    let _ = fs::remove_file(&tally_file);
    build(root, options)?;
    let status = run(root, options, &scratch, &tally_file)?;
    let tally: Tally = fs::read(&tally_file)
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
        .ok_or("the target has counted nothing; see above, or give it more seconds")?;
    println!("{}", tally.sentence());
    Ok(verdict(options, status, &tally))
}

fn verdict(options: &Options, status: ExitStatus, tally: &Tally) -> bool {
    if let Some(bug) = &options.plant {
        return match tally.find(bug, options.seconds) {
            Ok(found) => {
                println!("{found}");
                true
            }
            Err(missed) => {
                eprintln!("error: {missed}");
                false
            }
        };
    }
    if !status.success() {
        eprintln!("error: a rule is broken, or the target failed; see above");
    } else if tally.idle_percent() > IDLE_PERCENT_MAX {
        eprintln!("error: more than {IDLE_PERCENT_MAX} % of the inputs applied nothing");
    } else {
        return true;
    }
    false
}

fn renew(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}

/// The address sanitizer finds nothing in safe code and costs most of the speed, so it is off; coverage needs flags
/// that a stable compiler takes only when it is told to.
fn cargo_fuzz(root: &Path, subcommand: &str, target: &str) -> Command {
    let mut command =
        cargo(root, &["fuzz", subcommand, "--release", "--no-trace-compares", "--sanitizer", "none", target]);
    command.env("RUSTC_BOOTSTRAP", "1");
    command
}

fn build(root: &Path, options: &Options) -> Result<(), String> {
    match cargo_fuzz(root, "build", options.target).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("the fuzz target was not built; see above".into()),
        Err(error) => Err(format!("cargo fuzz cannot be run: {error}")),
    }
}

fn run(root: &Path, options: &Options, scratch: &Path, tally: &Path) -> Result<ExitStatus, String> {
    let mut command = cargo_fuzz(root, "run", options.target);
    let folders: Vec<PathBuf> = match options.plant {
        Some(_) => vec![scratch.to_owned()],
        None => ["corpus", "seeds"].map(|kind| root.join("fuzz").join(kind).join(options.target)).into(),
    };
    for folder in &folders {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    command.args(folders.iter().map(|folder| folder.as_os_str())).arg("--");
    command.arg(format!("-max_total_time={}", options.seconds));
    // Long inputs from the start, and no shorter ones in their place: a short one does little.
    command.arg(format!("-max_len={}", options.input_bytes_max)).args(["-len_control=0", "-reduce_inputs=0"]);
    // To weigh inputs by how rare their coverage is takes longer than to run them.
    command.arg("-entropic=0");
    if let Some(bug) = &options.plant {
        let mut prefix = scratch.join("crash").into_os_string();
        prefix.push(OsStr::new("-"));
        let mut artifacts = OsStr::new("-artifact_prefix=").to_owned();
        artifacts.push(prefix);
        command.arg(artifacts).env("HOLDOVER_FUZZ_PLANT", bug);
    }
    command.env("HOLDOVER_FUZZ_TALLY", tally);
    command.status().map_err(|error| format!("cargo fuzz cannot be run: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: options are read, and what is wrong with them is said.
    #[test]
    fn options() {
        let read = |arguments: &[&str]| Options::parse(arguments);
        let full = Options {
            target: "jobs_world",
            input_bytes_max: 128,
            seconds: 5,
            plant: Some("late-ack".into()),
        };
        assert_eq!(read(&["jobs_world", "--seconds", "5", "--plant", "late-ack"]), Ok(full));
        let plain = Options { target: "jobs_request", input_bytes_max: 512, seconds: 60, plant: None };
        assert_eq!(read(&["jobs_request"]), Ok(plain));
        for (arguments, says) in [
            (&[][..], "needs a target"),
            (&["jobs"], "`jobs` is not a fuzz target"),
            (&["jobs_world", "--seconds"], "--seconds needs a value"),
            (&["jobs_world", "--seconds", "0"], "a number from 1, not `0`"),
            (&["jobs_world", "--speed", "1"], "`--speed` is not an option"),
        ] {
            let error = read(arguments).expect_err("it is wrong");
            assert!(error.contains(says), "{error}");
        }
    }

    /// Goal: the figures are those of the tally, also of an empty one.
    #[test]
    fn figures() {
        let tally = Tally { executions: 200, applied: 1_790, idle: 3, cpu_ms: 4_000, ..Tally::default() };
        let says = "200 executions, 50 a CPU second, 8.9 applied operations on average, 3 inputs (1 %) applied nothing";
        assert_eq!(tally.sentence(), says);
        assert!(Tally::default().sentence().starts_with("0 executions, 0 a CPU second, 0.0 applied"));
    }
    /// Goal: a planted bug is found by the invariant that is named for it, and by no other.
    #[test]
    fn only_the_named_invariant_is_a_find() {
        let found = Tally { wall_ms: 1_250, found: Some("fencing".into()), ..Tally::default() };
        assert_eq!(found.find("late-ack", 10), Ok("late-ack was found by fencing after 1.25 s".into()));
        let strays = BTreeMap::from([("time-order".to_owned(), 7)]);
        let other = Tally { strays, ..Tally::default() };
        let missed = "late-ack was not found in 10 s; 7 inputs fell by time-order, not by the named one";
        assert_eq!(other.find("late-ack", 10), Err(missed.into()));
    }
}
