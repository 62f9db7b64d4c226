use crate::{
    Command, Digest, Invalid, ResourcePolicy, Text,
    check::{absolute_path, ensure, text},
};
use serde::{Deserialize, Serialize};

/// The environment that the process starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnvironmentPolicy {
    /// The worker's own, extended.
    Inherit,
    /// Nothing of the worker's.
    Isolated,
}

/// What to execute and within which bounds.
///
/// The order of the fields is the order of the canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionSpec {
    /// The run.
    pub run_id: Text,
    /// The attempt of the run.
    pub attempt_id: Text,
    /// The project of the task.
    pub project_id: Text,
    /// The task.
    pub task_id: Text,
    /// The revision of the task.
    pub task_revision: Text,
    /// What the process executes.
    pub command: Command,
    /// Where it executes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub working_directory: Option<Text>,
    /// The environment that it starts with.
    pub environment_policy: EnvironmentPolicy,
    /// How long it may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// How long it may take to end once asked to.
    pub termination_grace_ms: u64,
    /// What it may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_policy: Option<ResourcePolicy>,
}

impl ExecutionSpec {
    /// The compact JSON text of the known fields in their order, escaped as ECMAScript escapes it. It is what
    /// the digest covers.
    pub fn canonical(&self) -> String {
        serde_json::to_string(self).expect("a spec has text keys and whole numbers only")
    }

    /// The digest that an offer of this spec has to carry.
    pub fn digest(&self) -> Digest {
        Digest::of(self.canonical().as_bytes())
    }

    /// Checks every rule of a spec.
    pub fn check(&self) -> Result<(), Invalid> {
        text("executionSpec.runId", &self.run_id, 255)?;
        text("executionSpec.attemptId", &self.attempt_id, 255)?;
        text("executionSpec.projectId", &self.project_id, 255)?;
        text("executionSpec.taskId", &self.task_id, 255)?;
        text("executionSpec.taskRevision", &self.task_revision, 255)?;
        self.command.check()?;
        if let Some(directory) = &self.working_directory {
            absolute_path("executionSpec.workingDirectory", directory)?;
        }
        let timeout = self.timeout_ms.is_none_or(|ms| (1..=604_800_000).contains(&ms));
        ensure(timeout, "executionSpec.timeoutMs", "must be 1 to 604800000")?;
        let grace = self.termination_grace_ms <= 300_000;
        ensure(grace, "executionSpec.terminationGraceMs", "must be 0 to 300000")?;
        self.resource_policy.as_ref().map_or(Ok(()), ResourcePolicy::check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = r#"{"runId":"r\"\\/\b\f\n\r\t\u0001é😀\u007f\u2028","attemptId":"a","projectId":"p","taskId":"t","taskRevision":"1","command":{"kind":"shell","command":"x","shell":"/bin/sh"},"workingDirectory":"/w","environmentPolicy":"inherit","timeoutMs":1,"terminationGraceMs":0,"resourcePolicy":{"memoryBytes":{"enforcement":"required","value":1},"cpuMillisPerSecond":{"value":2,"enforcement":"best_effort"},"networkIsolation":"required"}}"#;

    /// Whatever the order of arrival, the canonical form has the fixed order, ECMAScript's escapes, no unknown
    /// member, and numeric limits as they arrived.
    #[test]
    fn canonical_form() {
        let spec: ExecutionSpec = serde_json::from_str(SPEC).unwrap();
        let canonical = SPEC.replace(r"\u007f", "\u{7f}").replace(r"\u2028", "\u{2028}");
        assert_eq!(spec.canonical(), canonical);

        let shuffled = r#"{"x":1,"terminationGraceMs":0,"environmentPolicy":"inherit","command":{"args":[],"file":"f","kind":"argv","y":2},"taskRevision":"1","taskId":"t","projectId":"p","attemptId":"a","runId":"r","resourcePolicy":{"memoryBytes":{"z":0,"value":1,"enforcement":"required"}}}"#;
        let spec: ExecutionSpec = serde_json::from_str(shuffled).unwrap();
        let expected = r#"{"runId":"r","attemptId":"a","projectId":"p","taskId":"t","taskRevision":"1","command":{"kind":"argv","file":"f","args":[]},"environmentPolicy":"inherit","terminationGraceMs":0,"resourcePolicy":{"memoryBytes":{"value":1,"enforcement":"required"}}}"#;
        assert_eq!(spec.canonical(), expected);
    }
}
