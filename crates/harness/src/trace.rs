use crate::{Scenario, Step, TraceError, World};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The format that this version writes and reads.
pub(crate) const SCHEMA: &str = "holdover-trace-v1";

/// The actions of a run, with what a replay needs to know of it. Everything that finds, keeps or shows a failure
/// uses this one format.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace<C, A> {
    /// The name and version of the format.
    pub schema: String,
    /// The version of Holdover that wrote it.
    pub version: String,
    /// The scenario.
    pub scenario: String,
    /// The variant under which it was recorded.
    pub variant: String,
    /// The seed from which the run came; `None` where no seed was drawn, as in exploration.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The invariant that it violates; `None` for a run that is kept for its own sake.
    #[serde(default)]
    pub violates: Option<String>,
    /// The action on which the repaired rules part from the faulty ones.
    #[serde(default)]
    pub deciding: Option<Deciding>,
    /// What the seed decided about the world.
    pub config: C,
    /// The actions in their order, their numbers rising.
    pub steps: Vec<Step<A>>,
}

/// The trace of a scenario.
pub type TraceOf<S> = Trace<<S as Scenario>::Config, <<S as Scenario>::World as World>::Action>;

/// The action that decides: under rules that hold, every action before it is applied, and this is its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deciding {
    /// The number of the action.
    pub step: u32,
    /// The refusal that it gets.
    pub answer: String,
}

/// What any trace says of itself, whatever its scenario: enough to find who can read the rest.
#[derive(Deserialize)]
#[serde(expecting = "an object with the members of a trace")]
struct Envelope {
    schema: String,
    #[serde(default)]
    scenario: String,
}

/// The scenario that a trace belongs to.
pub(crate) fn scenario_of(text: &str) -> Result<String, TraceError> {
    let envelope: Envelope = serde_json::from_str(text).map_err(malformed)?;
    if envelope.schema == SCHEMA {
        Ok(envelope.scenario)
    } else {
        Err(TraceError::OtherSchema { found: envelope.schema })
    }
}

impl<C, A> Trace<C, A>
where
    C: Serialize + DeserializeOwned,
    A: Serialize + DeserializeOwned,
{
    /// Reads a trace of `scenario`.
    pub fn parse(text: &str, scenario: &'static str) -> Result<Self, TraceError> {
        let found = scenario_of(text)?;
        if found != scenario {
            return Err(TraceError::OtherScenario { found, expected: scenario });
        }
        let trace: Self = serde_json::from_str(text).map_err(malformed)?;
        let mut after = 0;
        for step in &trace.steps {
            if step.number <= after {
                return Err(TraceError::OutOfOrder { number: step.number, after });
            }
            after = step.number;
        }
        Ok(trace)
    }

    /// The trace as JSON: a member a line, and a step a line, so that a difference of two traces reads well.
    pub fn to_json(&self) -> String {
        let mut text = String::from("{\n");
        member(&mut text, "schema", &self.schema);
        member(&mut text, "version", &self.version);
        member(&mut text, "scenario", &self.scenario);
        member(&mut text, "variant", &self.variant);
        if let Some(seed) = &self.seed {
            member(&mut text, "seed", seed);
        }
        if let Some(violates) = &self.violates {
            member(&mut text, "violates", violates);
        }
        if let Some(deciding) = &self.deciding {
            member(&mut text, "deciding", deciding);
        }
        member(&mut text, "config", &self.config);
        text.push_str("  \"steps\": [\n");
        let steps: Vec<String> = self.steps.iter().map(|step| format!("    {}", json(step))).collect();
        text.push_str(&steps.join(",\n"));
        text.push_str("\n  ]\n}\n");
        text
    }
}

fn member(text: &mut String, name: &str, value: &impl Serialize) {
    text.push_str(&format!("  \"{name}\": {},\n", json(value)));
}

/// A world whose configuration or actions have no JSON form is a fault of that world.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("configurations and actions have a JSON form")
}

fn malformed(error: serde_json::Error) -> TraceError {
    TraceError::Malformed(error.to_string())
}
