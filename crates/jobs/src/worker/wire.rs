//! A worker's requests as the arguments that a service reads: the inverse of `ServiceRequest::read`.

use crate::{ClaimRequest, Holder, Incarnation, LeaseOperation, LeaseRequest, ServiceRequest, text::Text};
use holdover_machine::OwnTime;
use serde_json::{Map, Value, json};

impl ServiceRequest {
    /// The operation and its arguments, for the requests that a worker sends; `None` for all others. The token of
    /// a claim is not among them: the service draws it.
    pub fn to_wire(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::Claim(claim) => Some(("claim", claim_arguments(claim))),
            Self::Lease(lease) => Some((lease.operation.name(), lease_arguments(lease))),
            _ => None,
        }
    }
}

impl LeaseOperation {
    /// Its name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Heartbeat { .. } => "heartbeat",
            Self::Progress { .. } => "progress",
            Self::Complete { .. } => "complete",
            Self::Fail { .. } => "fail",
            Self::Acknowledge => "acknowledge",
        }
    }
}

fn claim_arguments(claim: &ClaimRequest) -> Value {
    let health: Map<String, Value> = claim
        .announcement
        .health
        .iter()
        .map(|health| {
            (health.executor.to_string(), json!({ "ok": health.ok, "code": health.code.as_deref() }))
        })
        .collect();
    let executors: Vec<&str> = claim.executors.iter().map(Text::as_ref).collect();
    json!({
        "workerId": &*claim.worker, "incarnation": claim.incarnation.map(|Incarnation(number)| number),
        "claimNumber": claim.number, "leasesMax": claim.held_max, "executors": executors,
        "adapterHealth": health, "draining": claim.announcement.draining,
        "leaseDurationMs": claim.lease.ms(), "echoMs": claim.echo.map(OwnTime::ms),
    })
}

fn lease_arguments(lease: &LeaseRequest) -> Value {
    let LeaseRequest { job, holder: Holder { token, attempt, incarnation }, operation, echo } = lease;
    let mut members = json!({
        "jobId": job.as_str(), "leaseToken": token.reveal(), "attempt": attempt,
        "incarnation": incarnation.map(|Incarnation(number)| number), "echoMs": echo.map(OwnTime::ms),
    });
    match operation {
        LeaseOperation::Start | LeaseOperation::Acknowledge => {}
        LeaseOperation::Heartbeat { lease } => members["leaseDurationMs"] = lease.ms().into(),
        LeaseOperation::Progress { kind, data } => {
            members["type"] = (&**kind).into();
            members["data"] = (**data).clone();
        }
        LeaseOperation::Complete { result } => members["result"] = result.to_json(),
        LeaseOperation::Fail { error, delay } => {
            members["error"] = error.to_json();
            members["retryDelayMs"] = delay.ms().into();
        }
    }
    members
}
