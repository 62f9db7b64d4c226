//! Create: look the key up, judge the gates, ask for admission, insert. Where admission is judged in the insert,
//! the insert alone is enough.

use super::{Flight, Next, view_for_anyone};
use crate::rules::{Admission, Blocked, NamedId};
use crate::{
    AdmissionPolicy, Answer, Command, Created, Decision, Error, Policy, Record, Reply, Request, Status,
    Subject,
};
use serde_json::Value;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub(super) enum CreateFlight {
    /// The key is looked up.
    Finding(Arc<Request>),
    /// The counts for our own limits are read.
    Counting(Arc<Request>, Box<Decision>),
    /// The policy outside is asked.
    Asking(Arc<Request>, Box<Decision>),
    /// The job is inserted.
    Inserting(Arc<Request>),
}

pub(super) fn begin(policy: &Policy, request: Arc<Request>) -> Next {
    let asks_outside = policy.settings.admission == AdmissionPolicy::Asked;
    if policy.rules.admission == Admission::InCreate && !asks_outside {
        let decision = policy.decide(&request);
        return insert(policy, request, decision);
    }
    Next::Store(Command::FindByKey(policy.key(&request)), Flight::Create(CreateFlight::Finding(request)))
}

pub(super) fn stored(policy: &Policy, flight: CreateFlight, reply: Reply) -> Next {
    match (flight, reply) {
        (CreateFlight::Finding(request), Reply::Found(Some(known))) => {
            let parked = policy.rules.blocked == Blocked::Parked && known.status == Status::Blocked;
            if parked { judge(policy, request) } else { again(policy, &request, known) }
        }
        (CreateFlight::Finding(request), Reply::Found(None)) => judge(policy, request),
        (CreateFlight::Counting(request, decision), Reply::AdmissionCounts(counts)) => {
            let limits = policy.limits().unwrap_or_default();
            insert(policy, request, decision.admitted(limits.answer(&counts)))
        }
        (CreateFlight::Inserting(request), Reply::Created(created)) => match created {
            Created::New(record) => answer(policy, true, record),
            Created::Known(record) => again(policy, &request, record),
            Created::Unblocked(record) => answer(policy, false, record),
            Created::IdTaken => Next::Answer(Err(Error::JobIdConflict(request.job_id.clone()))),
        },
        _ => Next::Answer(Err(Error::OutcomeUnknown("the store's reply does not fit the command".into()))),
    }
}

/// The admission policy's answer.
pub(super) fn admitted(policy: &Policy, flight: CreateFlight, answer: Value) -> Next {
    match flight {
        CreateFlight::Asking(request, decision) => insert(policy, request, decision.admitted(answer)),
        _ => Next::Answer(Err(Error::OutcomeUnknown("an admission that nobody asked for".into()))),
    }
}

fn judge(policy: &Policy, request: Arc<Request>) -> Next {
    let decision = policy.decide(&request);
    if !decision.dispatch_allowed {
        return insert(policy, request, decision);
    }
    let decision = Box::new(decision);
    match policy.settings.admission {
        AdmissionPolicy::Open => insert(policy, request, *decision),
        AdmissionPolicy::Asked => {
            Next::Admit(Arc::clone(&request), Flight::Create(CreateFlight::Asking(request, decision)))
        }
        AdmissionPolicy::Limits(_) => {
            let subject = Subject { tenant: request.tenant.clone(), user: request.user.clone() };
            let command = Command::AdmissionCounts { subject, window: policy.settings.admission_window };
            Next::Store(command, Flight::Create(CreateFlight::Counting(request, decision)))
        }
    }
}

fn insert(policy: &Policy, request: Arc<Request>, decision: Decision) -> Next {
    let command = policy.create(&request, decision);
    Next::Store(command, Flight::Create(CreateFlight::Inserting(request)))
}

/// The key was known: the same request gets the same job, another one a conflict.
fn again(policy: &Policy, request: &Request, known: Arc<Record>) -> Next {
    let other_id =
        policy.rules.named_id == NamedId::Compared && request.job_id_given && request.job_id != *known.id();
    if other_id || known.spec.fingerprint != *request.fingerprint() {
        return Next::Answer(Err(Error::KeyConflict(known.id().clone())));
    }
    answer(policy, false, known)
}

fn answer(policy: &Policy, created: bool, record: Arc<Record>) -> Next {
    Next::Answer(Ok(Answer::Created { created, job: view_for_anyone(policy, record) }))
}
