//! Determinism across processes: what the memory layout or the hash seeds of a process could leak into a run
//! shows only when another process runs the same seed.

use crate::{choose::Choice, digest, error::CommandError};
use std::{collections::BTreeSet, fmt, ops::Range, path::Path, process::Command};

const SAMPLE: u64 = 16;

/// A seed that ran differently in a fresh process.
pub(crate) struct Difference {
    pub(crate) seed: u64,
    /// The seed and the digest in this process.
    pub(crate) here: String,
    /// The same in the fresh one.
    pub(crate) there: String,
    /// The first event in which the two differ, where a third run still shows it.
    pub(crate) event: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, here, there, event } = self;
        write!(f, "seed {seed} gave `{here}` here and `{there}` in a fresh process")?;
        event.iter().try_for_each(|event| write!(f, "; they part in {event}"))
    }
}

/// Runs a sample of the seeds here and in a fresh process of `program`, and compares.
pub(crate) fn recheck(
    choice: &Choice<'_>,
    engine: Option<&str>,
    seeds: Range<u64>,
    program: &Path,
) -> Result<Option<Difference>, CommandError> {
    let sample = sample(seeds);
    if sample.is_empty() {
        return Ok(None);
    }
    let seeds: Vec<String> = sample.iter().map(u64::to_string).collect();
    let fresh = digests(choice, engine, &seeds, program)
        .map_err(|what| CommandError::FreshProcess { program: program.to_owned(), what })?;
    let mut there = fresh.lines();
    for &seed in &sample {
        let (here, there) = (digest::line(choice, seed), there.next().unwrap_or("no answer").to_owned());
        if here != there {
            let event = first_event(choice, engine, seed, program);
            return Ok(Some(Difference { seed, here, there, event }));
        }
    }
    Ok(None)
}

fn digests(
    choice: &Choice<'_>,
    engine: Option<&str>,
    arguments: &[String],
    program: &Path,
) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(["digest", choice.scenario.id(), "--variant", &choice.variant]);
    command.args(engine.iter().flat_map(|engine| ["--engine", engine]));
    command.args(arguments);
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{}, {}", output.status, String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// Runs the seed once more on both sides, event by event, and says where they part.
fn first_event(choice: &Choice<'_>, engine: Option<&str>, seed: u64, program: &Path) -> Option<String> {
    let there = digests(choice, engine, &["--trail".to_owned(), seed.to_string()], program).ok()?;
    let here = digest::trail(choice, seed);
    let mut there = there.lines();
    let (place, told) = here.iter().enumerate().find(|(_, told)| there.next() != Some(told))?;
    let (_, when) = told.split_once(' ')?;
    Some(format!("event {}, {when}", place + 1))
}

/// The first seed and others at equal distances.
fn sample(seeds: Range<u64>) -> BTreeSet<u64> {
    let count = seeds.end - seeds.start;
    let stride = count.div_ceil(SAMPLE).max(1);
    (0..SAMPLE)
        .map(|index| index * stride)
        .take_while(|offset| *offset < count)
        .map(|offset| seeds.start + offset)
        .collect()
}
