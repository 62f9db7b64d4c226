use super::ScopeWords;
use crate::{Failure, Line};

/// What came of exploring a scope.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Exploration {
    /// The scenario.
    pub scenario: &'static str,
    /// The variant.
    pub variant: String,
    /// The scope in words.
    pub words: ScopeWords,
    /// Whether whole descriptions were compared.
    pub exact: bool,
    /// The states that were found.
    pub states: u64,
    /// The actions that were carried out.
    pub transitions: u64,
    /// How many levels of states were expanded whole.
    pub depth: u32,
    /// How it ended.
    pub ending: Ending,
}

/// How an exploration ended.
#[derive(Debug, Clone)]
pub enum Ending {
    /// All states are known, nothing is violated, and from each of them everything can come to rest.
    Closed,
    /// An invariant is violated.
    Violated(Box<Counterexample>),
    /// All states are known, and from one of them nothing comes to rest any more.
    Wedged(Box<Counterexample>),
    /// The budget was spent, or whoever watches had it stopped.
    Stopped,
}

/// The actions that lead to what was found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Counterexample {
    /// The trace as JSON.
    pub trace: String,
    /// How many actions it has.
    pub actions: usize,
    /// What there is to print of it. A wedged state that the end of all faults still frees has nothing.
    pub failure: Option<Failure>,
    /// The whole story.
    pub lines: Vec<Line>,
}

impl Exploration {
    /// How likely it is that two states were taken for one, so that something was left out: at most one in so
    /// many. `None` where whole descriptions were compared.
    pub fn omission_one_in(&self) -> Option<u64> {
        let pairs = u128::from(self.states).saturating_mul(u128::from(self.states)).max(1);
        (!self.exact).then(|| u64::try_from((1_u128 << 65) / pairs).unwrap_or(u64::MAX))
    }

    /// What was found, if anything was.
    pub fn counterexample(&self) -> Option<&Counterexample> {
        match &self.ending {
            Ending::Violated(found) | Ending::Wedged(found) => Some(found),
            Ending::Closed | Ending::Stopped => None,
        }
    }
}
