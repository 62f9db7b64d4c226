//! The gates of a create: may this request be handed to a worker, and if not, why.

use crate::{JobId, Registry, Request, text::Text};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The version text of a decision.
pub const DECISION_VERSION: &str = "executor-dispatch-decision-v1";

/// The reason of a request that all gates let through.
pub const QUEUED: &str = "queued_for_worker";

/// What each gate said. The two that can never be shut (the implementation and the key) are constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gates {
    /// The gateway's own switch is on.
    pub service_enabled: bool,
    /// The executor is known.
    pub adapter_registered: bool,
    /// The executor is enabled.
    pub adapter_enabled: bool,
    /// The request was authorised.
    pub execution_authorized: bool,
    /// The request allows side effects.
    pub side_effects_allowed: bool,
    /// The request names a workspace.
    pub workspace_present: bool,
}

impl Gates {
    /// The reason of the first shut gate, in order of precedence.
    fn shut(&self) -> Option<&'static str> {
        [
            (self.service_enabled, "executor_execution_disabled"),
            (self.adapter_registered, "executor_adapter_unregistered"),
            (self.adapter_enabled, "executor_adapter_disabled"),
            (self.execution_authorized, "executor_execution_unauthorized"),
            (self.side_effects_allowed, "executor_side_effects_not_allowed"),
            (self.workspace_present, "executor_workspace_required"),
        ]
        .into_iter()
        .find_map(|(open, reason)| (!open).then_some(reason))
    }
}

/// Whether a request may be handed out, with all that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The job.
    pub job_id: JobId,
    /// The executor.
    pub executor: Text,
    /// The fallback that was named. It never changes the decision.
    pub fallback: Option<Text>,
    /// Whether the fallback is known.
    pub fallback_registered: bool,
    /// Whether the fallback is enabled and can be dispatched to.
    pub fallback_available: bool,
    /// Whether it may be handed out.
    pub dispatch_allowed: bool,
    /// Why, or why not; absent when an admission policy refused without a reason.
    pub reason: Option<Text>,
    /// The gates.
    pub gates: Gates,
    /// What the admission policy answered, where it was asked.
    pub admission: Option<Value>,
}

impl Decision {
    /// Judges a request by the gates of a gateway.
    pub fn judge(request: &Request, registry: &Registry, execution_enabled: bool) -> Self {
        let adapter = registry.get(&request.executor);
        let fallback = request.fallback.as_deref().and_then(|id| registry.get(id));
        let gates = Gates {
            service_enabled: execution_enabled,
            adapter_registered: adapter.is_some(),
            adapter_enabled: adapter.is_some_and(|adapter| adapter.enabled),
            execution_authorized: request.execution_allowed,
            side_effects_allowed: request.side_effects_allowed,
            workspace_present: request.workspace.is_some(),
        };
        Self {
            job_id: request.job_id.clone(),
            executor: request.executor.clone(),
            fallback: request.fallback.clone(),
            fallback_registered: fallback.is_some(),
            fallback_available: fallback
                .is_some_and(|adapter| adapter.enabled && adapter.dispatch_implemented),
            dispatch_allowed: gates.shut().is_none(),
            reason: Some(gates.shut().unwrap_or(QUEUED).into()),
            gates,
            admission: None,
        }
    }

    /// The decision after an admission policy has answered: a refusal takes the answer's reason, the gates stay.
    #[must_use]
    pub fn admitted(mut self, answer: Value) -> Self {
        if !is_truthy(answer.get("allowed")) {
            self.dispatch_allowed = false;
            self.reason = answer.get("reason").and_then(Value::as_str).map(Into::into);
        }
        self.admission = Some(answer);
        self
    }

    /// The decision as it is stored and shown.
    pub fn to_json(&self) -> Value {
        let gates = &self.gates;
        json!({
            "version": DECISION_VERSION,
            "jobId": self.job_id.as_str(),
            "executor": &*self.executor,
            "fallbackExecutor": self.fallback.as_deref(),
            "fallbackRegistered": self.fallback_registered,
            "fallbackAvailable": self.fallback_available,
            "dispatchAllowed": self.dispatch_allowed,
            "reason": self.reason.as_deref(),
            "gates": {
                "implementation": true,
                "serviceEnabled": gates.service_enabled,
                "adapterRegistered": gates.adapter_registered,
                "adapterEnabled": gates.adapter_enabled,
                "executionAuthorized": gates.execution_authorized,
                "sideEffectsAllowed": gates.side_effects_allowed,
                "idempotencyKeyPresent": true,
                "workspaceReferencePresent": gates.workspace_present,
            },
            "admission": self.admission,
        })
    }
}

/// A policy is a plug-in whose answer is taken as the wire has it: only what ECMAScript calls falsy refuses.
fn is_truthy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(flag)) => *flag,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(_) => true,
    }
}
