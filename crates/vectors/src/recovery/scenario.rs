use super::script::{Change, Scripts};
use crate::FormatError;
use serde::Deserialize;
use serde_json::Value;

/// One file.
#[derive(Deserialize)]
pub(super) struct Scenario {
    #[serde(flatten)]
    pub(super) start: Start,
    #[serde(default = "one_pass")]
    pub(super) steps: Vec<Step>,
    pub(super) expect: Value,
}

/// What there is before the first step.
#[derive(Deserialize)]
pub(super) struct Start {
    pub(super) clock_ms: i64,
    #[serde(default)]
    pub(super) config: Config,
    pub(super) runs: Vec<Value>,
    pub(super) attempts: Vec<Value>,
    #[serde(default)]
    pub(super) ports: Scripts,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    #[serde(default)]
    pub(super) receipt_grace_ms: i64,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Step {
    Recover { id: Option<String> },
    Release { gate: String },
    Effects { effects: Vec<Change> },
}

impl Scenario {
    pub(super) fn read(file: &Value) -> Result<Self, FormatError> {
        Self::deserialize(file).map_err(|error| FormatError::malformed("$", error.to_string()))
    }
}

fn one_pass() -> Vec<Step> {
    vec![Step::Recover { id: None }]
}
