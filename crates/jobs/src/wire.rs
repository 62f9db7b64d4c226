//! Reading the arguments of a request: what is missing gets its default, what is of the wrong type is refused,
//! and the order of the checks is the order in which a caller would want to hear of them.

use crate::fields::{Fields, given};
use crate::identifier::is_safe;
use crate::text::{Text, cut, trim};
use crate::{
    Announcement, ClaimRequest, Error, Health, Holder, Identifier, Incarnation, JobError, JobId, JobResult,
    LeaseOperation, LeaseRequest, LeaseToken, Policy, Request, ServiceRequest, canonical,
};
use holdover_machine::{OwnTime, Span};
use serde_json::Value;
use std::sync::Arc;

/// The most events of a page.
pub const EVENT_PAGE_MAX: u64 = 500;
/// The most bytes of progress data when printed.
pub const PROGRESS_BYTES_MAX: usize = 16_384;
/// The most executors that a claim may name.
pub const CLAIM_EXECUTORS_MAX: usize = 20;

/// Identifiers that a request may need, drawn by the shell.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// For a create that names no job id.
    pub job_id: JobId,
    /// For a claim.
    pub token: LeaseToken,
}

impl ServiceRequest {
    /// Reads a request by the name of its operation, e.g. `create` or `heartbeat`.
    ///
    /// # Errors
    /// The first argument that is refused; an operation that is not one.
    pub fn read(operation: &str, args: &Value, policy: &Policy, drawn: &Drawn) -> Result<Self, Error> {
        let fields = Fields::required(args, "")?;
        match operation {
            "create" => Ok(Self::Create(read_create(&fields, policy, drawn)?)),
            "preview" => Ok(Self::Preview(read_create(&fields, policy, drawn)?)),
            "cancel" => read_cancel(&fields),
            "getJob" => Ok(Self::Get {
                job: read_known_job(&fields)?,
                include_request: fields.flag("includeRequest")? == Some(true),
            }),
            "listEvents" => read_events(&fields),
            "listAdapters" => Ok(Self::Adapters),
            "gatewayStatus" => Ok(Self::Status),
            "claim" => read_claim(&fields, policy, drawn).map(|claim| Self::Claim(Box::new(claim))),
            "start" | "heartbeat" | "progress" | "complete" | "fail" | "acknowledge" => {
                read_lease(operation, &fields, policy).map(|request| Self::Lease(Box::new(request)))
            }
            "recoverExpired" => {
                Ok(Self::Recover { limit: fields.integer("limit", 1, 500)?.unwrap_or(100) as u32 })
            }
            "stats" => Ok(Self::Stats),
            "switch" => Ok(Self::Switch { open: fields.flag("open")? == Some(true) }),
            _ => Err(Error::request_invalid("operation", "one that the service knows")),
        }
    }
}

fn read_create(fields: &Fields<'_>, policy: &Policy, drawn: &Drawn) -> Result<Arc<Request>, Error> {
    Request::normalise(fields.raw("input").unwrap_or(&Value::Null), &drawn.job_id, &policy.rules)
}

/// A job id of a read or a cancel: trimmed, and not known rather than invalid when it cannot be an id.
fn read_known_job(fields: &Fields<'_>) -> Result<Option<JobId>, Error> {
    Ok(JobId::new(trim(fields.text("jobId")?.unwrap_or(""))))
}

fn read_cancel(fields: &Fields<'_>) -> Result<ServiceRequest, Error> {
    let reason = match fields.raw("reason") {
        None => "cancelled_by_request",
        Some(Value::String(text)) => cut(text, 256),
        Some(_) => return Err(Error::request_invalid("reason", "a text")),
    };
    Ok(ServiceRequest::Cancel { job: read_known_job(fields)?, reason: reason.into() })
}

fn read_events(fields: &Fields<'_>) -> Result<ServiceRequest, Error> {
    let after = match fields.raw("after") {
        None => 0.0,
        Some(Value::Number(number)) => number.as_f64().unwrap_or(0.0).max(0.0),
        Some(_) => return Err(Error::request_invalid("after", "a number")),
    };
    let limit =
        fields.integer("limit", 1, EVENT_PAGE_MAX as i64)?.map_or(EVENT_PAGE_MAX, |limit| limit as u64);
    Ok(ServiceRequest::Events { job: read_known_job(fields)?, after, limit })
}

fn read_claim(fields: &Fields<'_>, policy: &Policy, drawn: &Drawn) -> Result<ClaimRequest, Error> {
    let worker: Text = read_identifier(fields, "workerId", Identifier::Worker)?.into();
    let executors = read_executors(fields)?;
    let draining = fields.flag("draining")? == Some(true);
    let health = read_health(fields, &executors)?;
    Ok(ClaimRequest {
        incarnation: read_count(fields, "incarnation")?.map(Incarnation),
        number: read_count(fields, "claimNumber")?,
        held_max: read_count(fields, "leasesMax")?.map(|max| u32::try_from(max).unwrap_or(u32::MAX)),
        lease: read_lease_span(fields, policy)?,
        announcement: Announcement { worker: worker.clone(), health: health.into(), draining },
        executors: executors.into(),
        token: drawn.token.clone(),
        echo: read_echo(fields)?,
        worker,
    })
}

/// A list, or one text: trimmed, lower-cased, without empties and repeats.
fn read_executors(fields: &Fields<'_>) -> Result<Vec<Text>, Error> {
    let one;
    let items = match given(fields.raw("executors")) {
        Some(text @ Value::String(_)) => {
            one = [text.clone()];
            &one[..]
        }
        _ => fields.list("executors")?.unwrap_or_default(),
    };
    let mut executors: Vec<Text> = Vec::new();
    for item in items {
        let text = match item {
            Value::Null => "",
            Value::String(text) => trim(text),
            _ => return Err(Error::request_invalid("executors", "a list of texts")),
        };
        let executor: Text = text.to_lowercase().into();
        if !executor.is_empty() && !executors.contains(&executor) {
            executors.push(executor);
        }
    }
    executors.truncate(CLAIM_EXECUTORS_MAX);
    if executors.is_empty() { Err(Error::ExecutorsRequired) } else { Ok(executors) }
}

fn read_health(fields: &Fields<'_>, executors: &[Text]) -> Result<Vec<Health>, Error> {
    let given_health = Fields::optional(fields.raw("adapterHealth"), "adapterHealth")?;
    let read = |executor: &Text| {
        let health = Fields::optional(given_health.raw(executor), "adapterHealth")?;
        let code = health.text("code")?.map(|code| cut(code, 128).into());
        Ok(Health { executor: executor.clone(), ok: health.flag("ok")? == Some(true), code })
    };
    executors.iter().map(read).collect()
}

fn read_lease(operation: &str, fields: &Fields<'_>, policy: &Policy) -> Result<LeaseRequest, Error> {
    let job = read_identifier(fields, "jobId", Identifier::Job)?;
    let job = JobId::new(job).ok_or(Error::IdentifierInvalid(Identifier::Job))?;
    let token = read_identifier(fields, "leaseToken", Identifier::LeaseToken)?;
    let token = LeaseToken::new(token).ok_or(Error::IdentifierInvalid(Identifier::LeaseToken))?;
    let operation = match operation {
        "start" => LeaseOperation::Start,
        "heartbeat" => LeaseOperation::Heartbeat { lease: read_lease_span(fields, policy)? },
        "progress" => read_progress(fields)?,
        "complete" => LeaseOperation::Complete { result: Arc::new(JobResult::read(fields.raw("result"))?) },
        "fail" => LeaseOperation::Fail {
            error: Arc::new(JobError::read(fields.raw("error"))?),
            delay: Span::from_ms(fields.integer("retryDelayMs", 0, 3_600_000)?.unwrap_or(1_000)),
        },
        _ => LeaseOperation::Acknowledge,
    };
    let attempt = read_count(fields, "attempt")?.map(|attempt| u32::try_from(attempt).unwrap_or(u32::MAX));
    let incarnation = read_count(fields, "incarnation")?.map(Incarnation);
    Ok(LeaseRequest {
        job,
        holder: Holder { token, attempt, incarnation },
        operation,
        echo: read_echo(fields)?,
    })
}

fn read_progress(fields: &Fields<'_>) -> Result<LeaseOperation, Error> {
    let kind = match fields.raw("type") {
        // Whatever a number or a flag prints as, it is outside the namespace.
        Some(Value::Number(_) | Value::Bool(_)) => "",
        _ => trim(fields.text("type")?.unwrap_or(DEFAULT_PROGRESS_TYPE)),
    };
    let rest = kind.strip_prefix("executor_job_").unwrap_or("");
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if rest.is_empty() || rest.len() > 96 || !rest.bytes().all(allowed) {
        return Err(Error::ProgressTypeInvalid);
    }
    let data = given(fields.raw("data")).unwrap_or(&Value::Null);
    if canonical::printed_bytes(data) > PROGRESS_BYTES_MAX {
        return Err(Error::EventDataTooLarge { max: PROGRESS_BYTES_MAX });
    }
    Ok(LeaseOperation::Progress { kind: kind.into(), data: Arc::new(data.clone()) })
}

const DEFAULT_PROGRESS_TYPE: &str = "executor_job_progress";

fn read_identifier<'a>(fields: &Fields<'a>, name: &str, which: Identifier) -> Result<&'a str, Error> {
    let text = trim(fields.text(name)?.unwrap_or(""));
    if is_safe(text) { Ok(text) } else { Err(Error::IdentifierInvalid(which)) }
}

fn read_lease_span(fields: &Fields<'_>, policy: &Policy) -> Result<Span, Error> {
    let (min, max) = (5_000, 300_000);
    let default = policy.settings.lease.ms().clamp(min, max);
    Ok(Span::from_ms(fields.integer("leaseDurationMs", min, max)?.unwrap_or(default)))
}

fn read_count(fields: &Fields<'_>, name: &str) -> Result<Option<u64>, Error> {
    match given(fields.raw(name)) {
        None => Ok(None),
        Some(value) => value
            .as_u64()
            .map(Some)
            .ok_or_else(|| Error::request_invalid(name, "a whole number, not negative")),
    }
}

fn read_echo(fields: &Fields<'_>) -> Result<Option<OwnTime>, Error> {
    match given(fields.raw("echoMs")) {
        None => Ok(None),
        Some(value) => value
            .as_i64()
            .map(|ms| Some(OwnTime::from_ms(ms)))
            .ok_or_else(|| Error::request_invalid("echoMs", "a whole number")),
    }
}
