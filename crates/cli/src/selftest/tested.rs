use super::finder::{Finder, Finding};
use holdover::{AnyScenario, Planted, Score, SelftestBudget};
use serde_json::{Value, json};

/// A planted bug and what each finder made of it.
pub(crate) struct Tested {
    pub(crate) planted: Planted,
    pub(crate) findings: Vec<Finding>,
    /// For a bug that another rule masks: whether it shows only when both are there.
    pub(crate) masked: Option<bool>,
}

/// How many seeds are run to see that a masked bug does not show alone, at most.
const ALONE_SEEDS: u64 = 20_000;

/// Plants the bug and lets each finder look for it.
pub(crate) fn test(scenario: &dyn AnyScenario, planted: &Planted, finders: &[Finder<'_>]) -> Tested {
    let findings: Vec<Finding> = finders.iter().map(|finder| finder.find(planted)).collect();
    let masked = planted.masked_by.map(|mask| {
        let needed = findings.iter().filter_map(Finding::score).map(|score| score.tried_in_all).max();
        let seeds = needed.unwrap_or(ALONE_SEEDS).min(ALONE_SEEDS);
        let budget = SelftestBudget { seeds, samples: 1, ..SelftestBudget::WORLDS };
        let alone = [planted.alone(), format!("{}{mask}", Planted::PREFIX)];
        alone
            .iter()
            .all(|variant| matches!(scenario.find_planted(variant, planted.invariant, budget), Ok(None)))
    });
    Tested { planted: planted.clone(), findings, masked }
}

impl Finding {
    pub(super) fn score(&self) -> Option<&Score> {
        match self {
            Self::Found(score) => Some(score),
            Self::Missed | Self::NotHere => None,
        }
    }
}

impl Tested {
    /// Whether a finder that could have found it has not, or a mask is none. Engines beside the first are there to
    /// show what each finds alone, and owe nothing.
    pub(crate) fn is_missed(&self) -> bool {
        !matches!(self.findings.first(), Some(Finding::Found(_) | Finding::NotHere))
            || self.masked == Some(false)
    }

    /// Whether the bug cannot be planted where the first finder looks, so that nothing was tested.
    pub(crate) fn is_not_here(&self) -> bool {
        matches!(self.findings.first(), None | Some(Finding::NotHere))
    }

    /// The shortest trace.
    pub(crate) fn trace(&self) -> Option<&str> {
        self.findings
            .iter()
            .filter_map(Finding::score)
            .map(|score| &*score.trace)
            .find(|trace| !trace.is_empty())
    }
}

/// All of a scenario as one JSON object.
pub(crate) fn to_json(scenario: &str, finders: &[Finder<'_>], all: &[Tested]) -> String {
    let bugs: Vec<Value> = all.iter().map(|tested| bug(finders, tested)).collect();
    json!({ "schema": "holdover-selftest-v1", "scenario": scenario, "bugs": bugs }).to_string()
}

fn bug(finders: &[Finder<'_>], tested: &Tested) -> Value {
    let found: serde_json::Map<String, Value> = finders
        .iter()
        .zip(&tested.findings)
        .map(|(finder, finding)| {
            let value = match finding {
                Finding::Found(score) => json!(score),
                Finding::Missed => json!("missed"),
                Finding::NotHere => Value::Null,
            };
            (finder.name().to_owned(), value)
        })
        .collect();
    json!({ "bug": tested.planted, "masked": tested.masked, "found": found })
}
