use super::{Frontier, FrontierOptions, FrontierReport, FrontierRow, Limit, OverlapAt, subject::ScheduleOf};
use crate::campaign::{Totals, add_up};
use crate::outcome::Outcome;
use crate::{CampaignOptions, Observer, Run, Scenario, Step, Trial, UnknownVariant, World};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// Measures these variants against every kind of error. `None` if it was stopped.
pub fn frontier<F: Frontier>(
    subject: &F,
    variants: &[&str],
    options: &FrontierOptions<'_>,
) -> Result<Option<FrontierReport>, UnknownVariant> {
    let mut rows = Vec::new();
    for variant in variants {
        for (kind, error) in subject.kinds().iter().enumerate() {
            match frontier_row(subject, variant, kind, error.ladder, options)? {
                Some(row) => rows.push(row),
                None => return Ok(None),
            }
        }
    }
    Ok(Some(FrontierReport {
        scenario: subject.scenario().id(),
        scope: subject.scope(),
        seeds: options.seeds,
        kinds: subject.kinds().to_vec(),
        rows,
    }))
}

/// Measures one variant against one kind of error, at the sizes of this ladder. `None` if it was stopped.
pub fn frontier_row<F: Frontier>(
    subject: &F,
    variant: &str,
    kind: usize,
    ladder: &[i64],
    options: &FrontierOptions<'_>,
) -> Result<Option<FrontierRow>, UnknownVariant> {
    let trial = Trial::new(subject.scenario(), variant)?;
    let invariants = subject.scenario().catalogue().invariants;
    let cap = ladder.last().copied().unwrap_or(0);
    let mut limits: BTreeMap<&str, Limit> =
        invariants.iter().map(|invariant| (invariant.id, Limit::AtLeast { cap })).collect();
    let mut overlaps = Vec::new();
    let mut passes = None;
    for &size in ladder {
        if options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Ok(None);
        }
        let totals = at_size(subject, &trial, kind, size, options);
        for (invariant, limit) in &mut limits {
            if let (Some(first), Limit::AtLeast { .. }) = (totals.first.get(*invariant), *limit) {
                let seed = first.seed;
                *limit = match passes {
                    None => Limit::None { seed },
                    Some(passes) => Limit::Between { passes, falls: size, seed },
                };
            }
        }
        overlaps.push(OverlapAt { size, longest_ms: totals.overlap_max_ms });
        passes = Some(size);
        (options.progress)();
    }
    Ok(Some(FrontierRow { variant: variant.to_owned(), kind: subject.kinds()[kind].name, limits, overlaps }))
}

fn at_size<F: Frontier>(
    subject: &F,
    trial: &Trial<'_, F::Scenario>,
    kind: usize,
    size: i64,
    options: &FrontierOptions<'_>,
) -> Totals {
    let seeds = CampaignOptions::new(&trial.name, 0..options.seeds).threads(options.threads);
    let run = |seed| Outcome::caught(seed, || perform(trial, subject.schedule(kind, size, seed), seed));
    let totals = add_up(&seeds, &run);
    if let Some(panicked) = &totals.panics.first.first() {
        // A panic is a fault of the world: nothing that was measured would mean anything.
        panic!("{} of size {size}, seed {}: {}", subject.kinds()[kind].name, panicked.seed, panicked.message);
    }
    totals
}

/// Carries a schedule out, and lets all faults stop.
fn perform<S: Scenario>(trial: &Trial<'_, S>, schedule: ScheduleOf<S>, seed: u64) -> Run {
    let mut observer = Observer::new();
    let mut world = trial.world(&schedule.config);
    let mut number = 0;
    for action in schedule.actions {
        number += 1;
        world.apply(&Step { number, action }, &mut observer);
    }
    let heal = world.heal();
    world.apply(&Step { number: number + 1, action: heal }, &mut observer);
    Run { seed, simulated_ms: world.simulated_ms(), violations: world.violations().clone(), observer }
}
