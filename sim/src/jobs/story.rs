//! The words of a story: one short phrase for what a message carries, what a call asks, what an answer says.

use super::message::{Body, Message, Origin};
use holdover_jobs::{Answer, Answered, Command, JobView, LeaseOperation, ServiceRequest};

/// What a message carries.
pub(super) fn message(message: &Message) -> String {
    match &message.body {
        Body::Request(origin) => format!("{} to {}", request(origin), message.to),
        Body::Call { call, .. } => format!("store call {}", command(&call.command)),
        Body::Reply { .. } => format!("the store's reply to {}", message.to),
        Body::Answer { origin, .. } => format!("answer to {}: {}", message.to, request(origin)),
        Body::Touch(touch) => format!("effect of {} attempt {}", touch.job, touch.attempt),
    }
}

/// What a call asks of the store.
pub(super) fn command(command: &Command) -> String {
    match command {
        Command::Load(job) => format!("load {job}"),
        Command::FindByKey(_) => "find by key".to_owned(),
        Command::Create(create) => format!("create {}", create.spec.job_id),
        Command::Claim(_) => "claim".to_owned(),
        Command::ClaimMany(many) => format!("claim {}", many.more.len() + 1),
        Command::OperateMany(list) => format!("{} operations", list.len()),
        Command::SettleAndClaim(both) => {
            format!("{} {} and claim", both.settle.change.action().verb(), both.settle.job)
        }
        Command::Operate(operate) => format!("{} {}", operate.change.action().verb(), operate.job),
        Command::Recover(recover) => format!("recover {}", recover.job),
        Command::Cancel(cancel) => format!("cancel {}", cancel.job),
        Command::ListExpired(_) => "list expired".to_owned(),
        Command::QueueStats => "queue stats".to_owned(),
        Command::AdmissionCounts { .. } => "admission counts".to_owned(),
        Command::Events { job, .. } => format!("events of {job}"),
        Command::Announce(_) => "announce".to_owned(),
        Command::Workers { .. } => "workers".to_owned(),
        Command::Switch { open } => switch(*open).to_owned(),
    }
}

/// What somebody asked.
pub(super) fn request(origin: &Origin) -> String {
    match &*origin.request {
        ServiceRequest::Create(request) => {
            let tenant = request.tenant.as_deref().unwrap_or("nobody");
            let key: String = request.key.chars().take(12).collect();
            format!("create {} for {tenant} under {key}", request.job_id)
        }
        ServiceRequest::Preview(request) => format!("preview {}", request.job_id),
        ServiceRequest::Cancel { job, .. } => format!("cancel {}", name(job)),
        ServiceRequest::Get { job, .. } => format!("read {}", name(job)),
        ServiceRequest::Events { job, .. } => format!("events of {}", name(job)),
        ServiceRequest::Adapters => "adapters".to_owned(),
        ServiceRequest::Status => "status".to_owned(),
        ServiceRequest::Claim(claim) => format!("claim #{}", claim.number.unwrap_or(0)),
        ServiceRequest::Lease(lease) => {
            let attempt = lease.holder.attempt.unwrap_or(0);
            format!("{} {} attempt {attempt}", operation(&lease.operation), lease.job)
        }
        ServiceRequest::Recover { limit } => format!("sweep, at most {limit}"),
        ServiceRequest::Stats => "stats".to_owned(),
        ServiceRequest::Switch { open } => switch(*open).to_owned(),
    }
}

/// What somebody asked, and what came back.
pub(super) fn answer(origin: &Origin, answer: &Answered) -> String {
    let outcome = match answer {
        Ok(Answer::Created { created, job }) => {
            let verb = if *created { "created" } else { "known" };
            format!("{verb} {}, {}{}", job.record.id(), job.record.status.as_str(), secret(job))
        }
        Ok(Answer::Job(Some(job))) => format!("{}{}", job.record.status.as_str(), secret(job)),
        Ok(Answer::Job(None) | Answer::Claim(None)) => "nothing".to_owned(),
        Ok(Answer::Claim(Some(claim))) => format!(
            "{} attempt {}, {} left{}",
            claim.job.record.id(),
            claim.standing.attempt,
            claim.standing.remaining,
            if claim.standing.replayed { ", again" } else { "" },
        ),
        Ok(Answer::Lease { job, standing }) => match &job.record.lease {
            Some(_) => format!("ok, {} left", standing.remaining),
            None => format!("ok, {}", job.record.status.as_str()),
        },
        Ok(Answer::Recovered { recovered, .. }) if recovered.is_empty() => "nothing".to_owned(),
        Ok(Answer::Recovered { recovered, .. }) => {
            let each =
                recovered.iter().map(|job| format!("{} {}", job.record.id(), job.record.status.as_str()));
            each.collect::<Vec<_>>().join(", ")
        }
        Ok(_) => "ok".to_owned(),
        Err(error) => error.code().0.trim_start_matches("EXECUTOR_").to_lowercase().replace('_', " "),
    };
    format!("{}: {outcome}", request(origin))
}

fn secret(job: &JobView) -> &'static str {
    if job.token.is_some() { ", with the token" } else { "" }
}

fn operation(operation: &LeaseOperation) -> &'static str {
    match operation {
        LeaseOperation::Start => "start",
        LeaseOperation::Heartbeat { .. } => "heartbeat",
        LeaseOperation::Progress { .. } => "progress",
        LeaseOperation::Complete { .. } => "complete",
        LeaseOperation::Fail { .. } => "fail",
        LeaseOperation::Acknowledge => "acknowledge cancel of",
    }
}

fn switch(open: bool) -> &'static str {
    if open { "switch on" } else { "switch off" }
}

fn name(job: &Option<holdover_jobs::JobId>) -> &str {
    job.as_ref().map_or("nothing", |job| job.as_str())
}
