use super::score::Score;
use crate::{Rng, Scenario, Trial, quiet};

/// The most inputs, and the most bytes of one.
const INPUTS: u64 = 40_000;
const LENGTH_MAX: u32 = 480;

/// Feeds bytes drawn at random to the scenario's fuzz target until the invariant falls. `None` if there is no such
/// target; `Some(None)` if it does not fall.
pub(crate) fn bytes<S: Scenario>(trial: &Trial<'_, S>, invariant: &str) -> Option<Option<Score>> {
    let mut rng = Rng::from_seed(INPUTS);
    for tried in 1..=INPUTS {
        let length = 8 + rng.below(LENGTH_MAX);
        let input: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
        // A panic is no find.
        let broken = quiet::catch(|| trial.scenario.fuzz(&trial.variant, &input)).unwrap_or(Some(None))?;
        if broken.is_some_and(|violation| violation.invariant == invariant) {
            let score = Score { tried, samples: 1, tried_in_all: tried, ..Score::default() };
            return Some(Some(score));
        }
    }
    Some(None)
}
