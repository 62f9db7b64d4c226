//! What a worker learns from an answer, and how it is read from the wire.

use crate::answer::Answered;
use crate::{Answer, JobId, LeaseToken, STANDING, Standing};
use holdover_machine::{OwnTime, Span, StoreTime};
use serde_json::Value;

/// What a worker learns from the answer to one of its requests. Everything that it may not rely on, an unavailable
/// store as much as a lost answer, is [`WorkerAnswer::Unanswered`].
#[derive(Debug, Clone, PartialEq)]
pub enum WorkerAnswer {
    /// A claim was granted.
    Granted(Granted),
    /// There is nothing to hand out.
    Nothing,
    /// The claim has been overtaken, or its grant is over: there is nothing to wait for.
    ClaimOver,
    /// A lease operation was carried out, or had been.
    CarriedOut(Standing),
    /// The lease is lost, the attempt settled or the job unknown.
    Lost,
    /// The job's status does not allow the operation.
    OutOfTurn,
    /// Nothing is known: the request may have been carried out or not.
    Unanswered,
}

/// A grant, as far as a worker needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Granted {
    /// The job.
    pub job: JobId,
    /// The token.
    pub token: LeaseToken,
    /// Where the lease stands.
    pub standing: Standing,
}

impl WorkerAnswer {
    /// What the answer of a service says to a worker.
    pub fn of(answer: &Answered) -> Self {
        match answer {
            Ok(Answer::Claim(None)) => Self::Nothing,
            Ok(Answer::Claim(Some(view))) => Self::Granted(Granted {
                job: view.job.record.id().clone(),
                token: view.token.clone(),
                standing: view.standing,
            }),
            Ok(Answer::Lease { standing, .. }) => Self::CarriedOut(*standing),
            Ok(_) => Self::Unanswered,
            Err(error) => Self::refused(error.code().0),
        }
    }

    /// What the answer to `operation` on the wire says to a worker.
    pub fn read(operation: &str, answer: &Value) -> Self {
        let read = match answer {
            Value::Null if operation == "claim" => Some(Self::Nothing),
            claim if operation == "claim" => read_grant(claim).map(Self::Granted),
            job => read_standing(job, job).map(Self::CarriedOut),
        };
        read.unwrap_or(Self::Unanswered)
    }

    /// What a refusal with this code says to a worker.
    pub fn refused(code: &str) -> Self {
        match code {
            "EXECUTOR_CLAIM_OVER" | "EXECUTOR_CLAIM_STALE" => Self::ClaimOver,
            "EXECUTOR_LEASE_LOST" | "EXECUTOR_ATTEMPT_SETTLED" | "EXECUTOR_JOB_NOT_FOUND" => Self::Lost,
            "EXECUTOR_JOB_STATE_CONFLICT" => Self::OutOfTurn,
            _ => Self::Unanswered,
        }
    }
}

fn read_grant(claim: &Value) -> Option<Granted> {
    let job = claim.get("job")?;
    Some(Granted {
        job: JobId::new(job.get("jobId")?.as_str()?)?,
        token: LeaseToken::new(claim.get("leaseToken")?.as_str()?)?,
        standing: read_standing(claim, job)?,
    })
}

/// The standing beside an answer. A job that is no longer held shows no expiry; then it is over by its last change.
fn read_standing(answer: &Value, job: &Value) -> Option<Standing> {
    let standing = answer.get(STANDING)?;
    let expires_at = job.pointer("/lease/expiresAt").or_else(|| job.get("updatedAt"))?;
    Some(Standing {
        attempt: u32::try_from(standing.get("attempt")?.as_u64()?).ok()?,
        expires_at: StoreTime::from_ms(expires_at.as_i64()?),
        remaining: Span::from_ms(standing.get("remainingMs")?.as_i64()?),
        cancel_requested: standing.get("cancelRequested")?.as_bool()?,
        echo: standing.get("echoMs")?.as_i64().map(OwnTime::from_ms),
        replayed: standing.get("replayed")?.as_bool()?,
    })
}
