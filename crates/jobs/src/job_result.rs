use crate::canonical::printed_bytes;
use crate::fields::{Fields, given};
use crate::request::Reference;
use crate::text::{Text, trim_cut};
use crate::{Error, fields};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The most bytes of metrics when printed.
pub const METRICS_BYTES_MAX: usize = 4096;

/// What a worker reports of its work, sanitised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobResult {
    /// One word for what came out, at most 128 UTF-16 units.
    pub outcome: Text,
    /// A few sentences, at most 4096 UTF-16 units.
    pub summary: Option<Text>,
    /// What was made, at most 100 references.
    pub artifacts: Vec<Reference>,
    /// Numbers: an object or a list.
    pub metrics: Value,
}

impl JobResult {
    /// The result of a worker: an object, or nothing for an empty result.
    ///
    /// # Errors
    /// A wrong type, or metrics over their size.
    pub fn read(value: Option<&Value>) -> Result<Self, Error> {
        let fields = Fields::optional(fields::given(value), "result")?;
        let outcome = trim_cut(fields.text("outcome")?.unwrap_or(""), 128);
        let summary = trim_cut(fields.text("summary")?.unwrap_or(""), 4096);
        let artifacts = Reference::read_list(fields.list("artifactRefs")?, "", "result.artifactRefs")?;
        let metrics = match given(fields.raw("metrics")) {
            Some(metrics @ (Value::Object(_) | Value::Array(_))) => metrics.clone(),
            _ => Value::Object(Map::new()),
        };
        if printed_bytes(&metrics) > METRICS_BYTES_MAX {
            return Err(Error::EventDataTooLarge { max: METRICS_BYTES_MAX });
        }
        Ok(Self {
            outcome: if outcome.is_empty() { "completed".into() } else { outcome.into() },
            summary: (!summary.is_empty()).then(|| summary.into()),
            artifacts,
            metrics,
        })
    }

    /// The result as it is stored and shown.
    pub fn to_json(&self) -> Value {
        json!({
            "outcome": &*self.outcome,
            "summary": self.summary.as_deref(),
            "artifactRefs": self.artifacts.iter().map(Reference::to_json).collect::<Vec<_>>(),
            "metrics": self.metrics,
        })
    }
}
