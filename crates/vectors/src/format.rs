use serde_json::Value;
use thiserror::Error;

/// One protocol's way to carry out a scenario.
pub trait Format: Sync {
    /// What the member `format` of its files says.
    fn id(&self) -> &'static str;

    /// The knobs that a variant `hardened-without-KNOB[,KNOB...]` can name.
    fn knobs(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Carries the scenario out under the rules of `variant` and lists every answer that differs.
    fn run(&self, scenario: &Value, variant: &str) -> Result<Vec<Mismatch>, FormatError>;
}

/// An answer that differs from what the file expects.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// The step, e.g. `3 complete`.
    pub step: String,
    /// Where in the answer, as a JSON path such as `$.ok.job.status`.
    pub path: String,
    /// What the file expects there; null where nothing is expected.
    pub expected: Value,
    /// What was answered; null where the answer has nothing there.
    pub got: Value,
}

/// Why a scenario could not be carried out at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file is not as its format describes.
    #[error("{at}: {what}")]
    Malformed {
        /// Where in the file, as a JSON path such as `$.steps[2].op`.
        at: String,
        /// What is wrong and what would be right.
        what: String,
    },
    /// The format has no variant of this name.
    #[error("unknown variant `{variant}`; known: {known}")]
    Variant {
        /// The name that was asked for.
        variant: String,
        /// The names that there are, separated by commas.
        known: String,
    },
}

impl FormatError {
    /// Refuses every variant but `original`, for the formats that have no other yet.
    pub(crate) fn unless_original(variant: &str) -> Result<(), Self> {
        match variant {
            "original" => Ok(()),
            other => Err(Self::Variant { variant: other.into(), known: "original".into() }),
        }
    }

    /// The file is not as its format describes at this place.
    pub fn malformed(at: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Malformed { at: at.into(), what: what.into() }
    }
}
