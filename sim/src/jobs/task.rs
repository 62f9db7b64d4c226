//! What clients ask for: the same few requests again and again, plain and with a twist.

use holdover_jobs::{Error, JobId, Request, Rules, Text};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// The most jobs of a world.
pub(super) const JOBS_MAX: u8 = 64;

/// How a create differs from the plain one of its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Twist {
    /// It does not.
    Plain,
    /// The same key with another request.
    Conflicting,
    /// The same key from another tenant.
    Foreign,
    /// The same key naming another job id.
    Renamed,
    /// A key that is too long.
    Long,
    /// Another key that is too long, with the same beginning.
    Longer,
}

impl Twist {
    /// Every twist.
    pub const ALL: [Self; 6] =
        [Self::Plain, Self::Conflicting, Self::Foreign, Self::Renamed, Self::Long, Self::Longer];
}

/// One create that a client may send.
#[derive(Debug, Clone)]
pub struct Task {
    /// The job id that it names.
    pub job: JobId,
    /// The tenant.
    pub tenant: Text,
    /// The key as the client means it, however long.
    pub key: Text,
    /// The body, apart from id and key: two creates with equal bodies ask for the same work.
    pub body: Text,
    /// The request, or how the service refuses it before it asks anything else.
    pub request: Result<Arc<Request>, Error>,
}

/// Every create that clients of a world may send, read once under the rules of a variant.
#[derive(Debug, Clone)]
pub struct Tasks(Vec<Task>);

impl Tasks {
    /// The creates of all jobs.
    pub fn new(rules: &Rules) -> Self {
        let each = |job| Twist::ALL.map(|twist| Task::new(job, twist, rules));
        Self((0..JOBS_MAX).flat_map(each).collect())
    }

    /// The create of a job with a twist; `None` for a job that no world has.
    pub fn get(&self, job: u8, twist: Twist) -> Option<&Task> {
        self.0.get(usize::from(job) * Twist::ALL.len() + twist as usize)
    }
}

impl Task {
    fn new(job: u8, twist: Twist, rules: &Rules) -> Self {
        let named = match twist {
            Twist::Plain | Twist::Conflicting => format!("j{job}"),
            Twist::Foreign => format!("j{job}-foreign"),
            Twist::Renamed => format!("j{job}-renamed"),
            Twist::Long => format!("j{job}-long"),
            Twist::Longer => format!("j{job}-longer"),
        };
        let tenant = format!("t{}", (job + u8::from(twist == Twist::Foreign)) % 2);
        let key = match twist {
            Twist::Long => format!("{:x<200}-a", format!("key-{job}-")),
            Twist::Longer => format!("{:x<200}-b", format!("key-{job}-")),
            _ => format!("key-{job}"),
        };
        let instruction = if twist == Twist::Conflicting { "something else" } else { "build it" };
        // Longer than a lease, far longer, and shorter, so that a start shortens it.
        let timeout_ms = [6_000, 30_000, 3_000, 30_000][usize::from(job % 4)];
        let mut input = json!({
            "executor": if job % 4 == 3 { "goosed" } else { "aider" },
            "task": { "instruction": instruction, "workspaceRef": { "id": "w" } },
            "subject": { "tenantId": tenant },
            "authorization": { "executionAllowed": true },
            "policy": { "sideEffectsAllowed": true },
            "controls": {
                "timeoutMs": timeout_ms,
                "maxAttempts": 1 + job % 3,
                "cancellationAllowed": job % 5 != 4,
            },
        });
        let body: Text = input.to_string().into();
        if let Value::Object(members) = &mut input {
            members.insert("jobId".into(), named.clone().into());
            members.insert("idempotencyKey".into(), key.clone().into());
        }
        let job = JobId::new(&named).expect("a safe identifier");
        let request = Request::normalise(&input, &job, rules);
        Self { job, tenant: tenant.into(), key: key.into(), body, request }
    }
}
