//! The command `bench`: what stores take, in turn.

mod measured;
mod measurement;
mod report;

use crate::{
    Console, Exit, arguments::BenchArguments, error::CommandError, number::grouped, store::StoreUrl,
};
use clap::ValueEnum;
use holdover_bench::Load;
use measured::Measured;
use measurement::Measurement;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::runtime::Builder;

/// Each store has so many laps, in turn with the others. Figures are medians of them.
const LAPS: usize = 5;
/// The longest that a lap lasts, and the most jobs that are taken in one.
const LAP_LASTS: Duration = Duration::from_secs(1);
const LAP_JOBS: u64 = 100_000;

/// How workers take jobs, as it is named on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShapeName {
    /// A claim, then a completion
    Single,
    /// Each completion with the next claim, in one call
    Fused,
    /// A claim of ten jobs, then the completion of them all
    Batch,
}

/// Measures each store and prints a line for each.
pub(crate) fn bench(arguments: &BenchArguments, console: &mut Console<'_>) -> Result<Exit, CommandError> {
    if arguments.stores.iter().any(StoreUrl::is_kept) && !arguments.erase {
        return Err(CommandError::WouldErase);
    }
    let mut known = BTreeSet::new();
    if let Some(twice) = arguments.stores.iter().find(|url| url.is_kept() && !known.insert(url.shown())) {
        return Err(CommandError::SameStore { store: twice.shown() });
    }
    let runtime = Builder::new_multi_thread().enable_all().build().map_err(CommandError::live)?;
    let results = runtime.block_on(async {
        let mut measured = Vec::new();
        for url in &arguments.stores {
            measured.push(Measured::open(url, !arguments.unchecked).await?);
        }
        laps(&mut measured, arguments, console).await?;
        measured.into_iter().map(Measured::result).collect::<Result<Vec<_>, _>>()
    })?;
    match arguments.json {
        true => console.print(report::summary(arguments, &results))?,
        false => console.print(report::text(arguments, &results))?,
    }
    Ok(match results.iter().all(Measurement::passed) {
        false => Exit::Safety,
        true if console.stopped() => Exit::Interrupted,
        true => Exit::Passed,
    })
}

/// Laps of all stores in turn, so that what else the machine does meets all of them.
async fn laps(
    measured: &mut [Measured],
    arguments: &BenchArguments,
    console: &mut Console<'_>,
) -> Result<(), CommandError> {
    let shape = arguments.shape();
    let backlog = arguments.backlog.max(arguments.workers * shape.jobs() * 2);
    let jobs = LAP_JOBS.min(backlog / 2);
    let load = Load { shape, workers: arguments.workers, jobs, lasts: LAP_LASTS };
    for lap in 0..LAPS {
        for one in measured.iter_mut() {
            if console.stopped() && lap > 0 {
                return Ok(());
            }
            if lap == 0 && !arguments.json {
                console.narrate(format_args!("{}: creating {} jobs", one.store(), grouped(backlog)));
            }
            one.lap(backlog, &load).await?;
        }
    }
    Ok(())
}
