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
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, here, there } = self;
        write!(f, "seed {seed} gave `{here}` here and `{there}` in a fresh process")
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
    let fresh = digests(choice, engine, &sample, program)
        .map_err(|what| CommandError::FreshProcess { program: program.to_owned(), what })?;
    let mut there = fresh.lines();
    for &seed in &sample {
        let (here, there) = (digest::line(choice, seed), there.next().unwrap_or("no answer").to_owned());
        if here != there {
            return Ok(Some(Difference { seed, here, there }));
        }
    }
    Ok(None)
}

fn digests(
    choice: &Choice<'_>,
    engine: Option<&str>,
    sample: &BTreeSet<u64>,
    program: &Path,
) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(["digest", choice.scenario.id(), "--variant", &choice.variant]);
    command.args(engine.iter().flat_map(|engine| ["--engine", engine]));
    command.args(sample.iter().map(u64::to_string));
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{}, {}", output.status, String::from_utf8_lossy(&output.stderr).trim())),
    }
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
