use super::{
    clock::{Deadline, Stopwatch},
    progress,
    recheck::{Difference, recheck},
};
use crate::{Console, arguments::SimArguments, choose::Choice, error::CommandError, threads::threads};
use holdover::{CampaignOptions, CampaignReport, CampaignSummary, Conduct, Shard, Shrinking};
use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
};

const SEEDS: u64 = 10_000;

/// A campaign that is over, with what the command line adds to its report.
pub(crate) struct Campaign {
    pub(crate) report: CampaignReport,
    /// Real time and processor time in seconds.
    pub(crate) wall_s: f64,
    pub(crate) cpu_s: f64,
    /// Whether everything countable must have been met.
    pub(crate) floors: bool,
    /// Set if a fresh process ran a seed differently.
    pub(crate) difference: Option<Difference>,
}

impl Campaign {
    /// Runs the seeds, and then a sample of them again in a fresh process.
    pub(crate) fn run(
        choice: &Choice<'_>,
        arguments: &SimArguments,
        deadline: Deadline,
        console: &mut Console<'_>,
    ) -> Result<Self, CommandError> {
        let seeds = arguments.shard.unwrap_or(Shard::WHOLE).part(&seeds(arguments));
        narrate_plan(choice, arguments, console);
        let (report, wall_s, cpu_s) = measure(choice, arguments, seeds.clone(), &deadline, console);
        let done = seeds.start..seeds.start + report.seeds;
        let difference = if console.stopped() {
            None
        } else {
            recheck(choice, arguments.engine.as_deref(), done, &console.program)?
        };
        let chosen = arguments.seed.is_some() || arguments.seeds.is_some() || report.interrupted;
        let floors = arguments.floor || (choice.default && !chosen);
        Ok(Self { report, wall_s, cpu_s, floors, difference })
    }

    /// What there is to say of it, as data.
    pub(crate) fn summary(&self, shard: Option<Shard>) -> CampaignSummary {
        self.report.summary(Conduct {
            shard,
            wall_s: self.wall_s,
            cpu_s: self.cpu_s,
            floors: self.floors,
            nondeterminism: self.difference.as_ref().map(Difference::to_string),
        })
    }
}

fn seeds(arguments: &SimArguments) -> Range<u64> {
    match arguments.seed {
        Some(seed) => seed..seed + 1,
        None => 1..1 + arguments.seeds.unwrap_or(SEEDS),
    }
}

/// Somebody who asks for one seed wants to know what that seed stands for.
fn narrate_plan(choice: &Choice<'_>, arguments: &SimArguments, console: &mut Console<'_>) {
    if let (Some(seed), false) = (arguments.seed, arguments.quiet)
        && let Ok(report) = choice.scenario.run_seed(&choice.variant, seed)
    {
        console.narrate(format_args!("seed {seed} of {} decides: {}", report.scenario, report.plan));
    }
}

fn measure(
    choice: &Choice<'_>,
    arguments: &SimArguments,
    seeds: Range<u64>,
    deadline: &Deadline,
    console: &Console<'_>,
) -> (CampaignReport, f64, f64) {
    let threads = threads(arguments.threads);
    let watched = console.watched && !arguments.quiet && !arguments.json;
    let bar = progress::bar(choice.scenario.id(), seeds.end - seeds.start, watched);
    let (interrupt, stop) = (console.stop, AtomicBool::new(false));
    let progress = |done| {
        bar.set_position(done);
        if interrupt.load(Ordering::Relaxed) || deadline.has_passed() {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let spinner = progress::spinner(watched);
    // The seed is told before anything else is done with it, so that it is not lost with what comes after.
    let shrinking = |now: Shrinking<'_>| {
        if now.replays == 0 && !arguments.quiet {
            bar.suspend(|| eprintln!("{} fell in seed {}", now.invariant, now.seed));
        }
        spinner.set_message(format!(
            "shrinking {}: {} actions, {} replays",
            now.invariant, now.actions, now.replays
        ));
    };
    let options = CampaignOptions::new(&choice.variant, seeds)
        .threads(threads)
        .stop(&stop)
        .progress(&progress)
        .shrinking(&shrinking);
    let options = if arguments.no_shrink { options.shrink(0) } else { options };
    let stopwatch = Stopwatch::start();
    let report = choice.scenario.campaign(&options).expect("the variant is one of the scenario's");
    let (wall_s, cpu_s) = stopwatch.stop();
    spinner.finish_and_clear();
    bar.finish_and_clear();
    (report, wall_s, cpu_s)
}
