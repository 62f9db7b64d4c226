use crate::{Observer, Rng, Violations, Weights};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// One action with the number that it got when it was recorded.
///
/// Numbers start at 1 and stay what they were while a trace is shrunk, so that what an action brought about
/// (a message, a token, a timer) can be named by the action's number and keeps its name when other actions go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step<A> {
    /// The action's number.
    #[serde(rename = "n")]
    pub number: u32,
    /// The action.
    #[serde(rename = "do")]
    pub action: A,
}

/// What became of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It was possible and has happened.
    Done,
    /// It was not possible in this state; nothing has changed. This is what makes replay total: any
    /// sub-sequence of a trace is a valid run.
    Skipped,
}

/// A closed system: nodes, network, clocks, the resource they work on, and the monitors that watch them.
///
/// Everything that decides is in the cloned state; logs and counters are in the [`Observer`].
pub trait World: Clone {
    /// One thing that may happen next. Time moves only by an action.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned;

    /// Draws one action for a random run without listing all that are possible. It may draw one that turns out
    /// to be impossible (it is then skipped); `None` means that nothing was found this time.
    fn sample(&self, rng: &mut Rng, weights: &Weights) -> Option<Self::Action>;

    /// Appends every action that is possible now, for exploration and fuzzing.
    fn enabled(&self, actions: &mut Vec<Self::Action>);

    /// Carries an action out, or skips it. Total: no action may panic.
    fn apply(&mut self, step: &Step<Self::Action>, observer: &mut Observer) -> Applied;

    /// The action that ends a run: all faults stop and the system runs by itself, by a fixed schedule, until it
    /// has converged or its bound is over. It is one action so that shrinking cannot take the recovery away.
    fn heal(&self) -> Self::Action;

    /// Simpler actions to try in place of `action` when a trace is shrunk, simplest first: smaller numbers, an
    /// operation that runs to its end at once instead of being held.
    fn simplify(action: &Self::Action) -> Vec<Self::Action>;

    /// One action in place of two when a trace is shrunk: one wait for two, or an operation that runs to its end
    /// at once for one that is held and the delivery that ends it. It is tried where the second action stood, and
    /// then where the first did. A world without such actions keeps this default.
    fn merge(first: &Step<Self::Action>, second: &Step<Self::Action>) -> Option<Self::Action> {
        let _ = (first, second);
        None
    }

    /// The action with every number in it replaced by what `map` says, once a trace is shrunk and its steps are
    /// numbered anew. A world whose actions name no other action keeps this default.
    fn renumber(action: &Self::Action, map: &dyn Fn(u32) -> Option<u32>) -> Self::Action {
        let _ = map;
        action.clone()
    }

    /// The first violation of each invariant so far, in the order in which they came.
    fn violations(&self) -> &Violations;

    /// True time since the start of the world, in milliseconds.
    fn simulated_ms(&self) -> i64;

    /// A hash of state and monitors in which times are relative, for exploration.
    fn fingerprint(&self) -> u64;
}
