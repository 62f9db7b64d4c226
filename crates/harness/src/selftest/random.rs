use super::budget::SelftestBudget;
use super::score::Score;
use crate::{Scenario, TraceOf, Trial, quiet, record, run, shrink};

/// Looks at seeds until enough of them fall, and answers after how many the first did.
pub(crate) fn each_seed(
    budget: SelftestBudget,
    falls: impl Fn(u64) -> bool,
    mut sample: impl FnMut(u64, &mut Score),
) -> Option<Score> {
    let mut score: Option<Score> = None;
    for run_so_far in 1..=budget.seeds {
        let seed = budget.first_seed.wrapping_add(run_so_far - 1);
        if !falls(seed) {
            continue;
        }
        let score = score.get_or_insert_with(|| Score { tried: run_so_far, ..Score::default() });
        score.samples += 1;
        score.tried_in_all = run_so_far;
        sample(seed, score);
        if score.samples >= budget.samples {
            break;
        }
    }
    score
}

/// Runs seeds until enough of them violate the invariant. `None` if none does within the budget.
pub(crate) fn random<S: Scenario>(
    trial: &Trial<'_, S>,
    invariant: &str,
    budget: SelftestBudget,
) -> Option<Score> {
    // A panic is no find: it says nothing of what was promised.
    let falls = |seed| quiet::catch(|| run(trial, seed).violations.of(invariant).is_some()).unwrap_or(false);
    each_seed(budget, falls, |seed, score| {
        let (recorded, trace) = shrunk(trial, invariant, seed, budget.replays);
        let actions = trace.steps.len();
        if score.samples == 1 {
            (score.recorded, score.shrunk) = (recorded, actions);
        }
        if score.samples == 1 || actions < score.best {
            (score.best, score.trace) = (actions, trace.to_json());
        }
    })
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
