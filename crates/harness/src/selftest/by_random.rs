use super::score::{RandomBudget, RandomScore};
use crate::{Scenario, TraceOf, Trial, quiet, record, run, shrink};

/// Runs seeds until enough of them violate the invariant. `None` if none does within the budget.
pub(crate) fn by_random<S: Scenario>(
    trial: &Trial<'_, S>,
    invariant: &str,
    budget: RandomBudget,
) -> Option<RandomScore> {
    let mut score: Option<RandomScore> = None;
    for run_so_far in 0..budget.seeds {
        let seed = budget.first_seed.wrapping_add(run_so_far);
        // A panic is no find: it would stop a campaign whatever it promised.
        let falls = quiet::catch(|| run(trial, seed).violations.of(invariant).is_some()).unwrap_or(false);
        if !falls {
            continue;
        }
        let seeds = run_so_far + 1;
        let (recorded, trace) = shrunk(trial, invariant, seed, budget.replays);
        let score = score.get_or_insert_with(|| RandomScore {
            seeds,
            samples: 0,
            seeds_run: 0,
            recorded,
            first: trace.steps.len(),
            best: usize::MAX,
            trace: String::new(),
        });
        score.samples += 1;
        score.seeds_run = seeds;
        if trace.steps.len() < score.best {
            score.best = trace.steps.len();
            score.trace = trace.to_json();
        }
        if score.samples >= budget.samples {
            break;
        }
    }
    score
}

/// The trace of a failing seed, shrunk, and how long it was.
fn shrunk<S: Scenario>(
    trial: &Trial<'_, S>,
    invariant: &str,
    seed: u64,
    replays: u32,
) -> (usize, TraceOf<S>) {
    let (_, mut trace) = record(trial, seed);
    trace.violates = Some(invariant.to_owned());
    let recorded = trace.steps.len();
    let small = shrink(trial, &trace, replays).map(|shrunk| shrunk.trace);
    (recorded, small.unwrap_or(trace))
}
