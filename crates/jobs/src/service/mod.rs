//! The service: gateway and worker protocol over one store, as a machine.
//!
//! A request is a *flight*. A flight that needs several store calls (create, cancel, recover, claim) waits
//! between them, and other actors' calls can fall in between: that is where the original's races live. A service
//! keeps nothing but flights; they die with it.

mod claim;
mod create;
mod recover;

use crate::answer::{Answered, EventList, Form, StatusView};
use crate::event::RESERVED_TYPES;
use crate::rules::{Cursor, GuardOrder, ProgressTypes, TokenView};
use crate::{
    Action, Answer, Call, Command, Error, JobId, JobView, LeaseOperation, LeaseRequest, Operated, Policy,
    Record, Refusal, Reply, Request, ServiceRequest, Standing, text::Text,
};
use claim::ClaimFlight;
use create::CreateFlight;
use holdover_machine::{Machine, Outcome, OwnTime, Timestamp};
use recover::RecoverFlight;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of a flight, given by the shell; it must not be in use.
pub type FlightId = u64;

/// What can happen to a service.
#[derive(Debug, Clone)]
pub enum ServiceInput {
    /// Somebody asks for something.
    Request(FlightId, ServiceRequest),
    /// The store has answered, or it is known that it will not.
    Stored(FlightId, Outcome<Reply>),
    /// The admission policy has answered.
    Admitted(FlightId, Value),
}

/// Everything that a service can want done.
#[derive(Debug, Clone)]
pub enum ServiceEffect {
    /// Make this store call.
    Store(FlightId, Call),
    /// Ask the admission policy.
    Admit(FlightId, Arc<Request>),
    /// Answer the request; the flight is over.
    Answer(FlightId, Answered),
}

/// The gateway and worker protocol of one process. See the module's documentation.
#[derive(Debug, Clone)]
pub struct Service {
    policy: Arc<Policy>,
    flights: BTreeMap<FlightId, Flight>,
}

/// What a request waits for.
#[derive(Debug, Clone)]
enum Flight {
    Create(CreateFlight),
    CancelLoad { reason: Text },
    Cancel,
    Get { form: Form },
    Events { job: JobId, after: f64 },
    Claim(ClaimFlight),
    Lease { action: Action, echo: Option<OwnTime> },
    Recover(RecoverFlight),
    StatsQueue,
    // In a box, so that the nodes of a map of flights stay small: almost all flights are shorter.
    StatsWorkers { queue: Box<crate::QueueStats> },
    Switch,
}

/// What a flight does next.
enum Next {
    Store(Command, Flight),
    Admit(Arc<Request>, Flight),
    Answer(Answered),
}

impl Service {
    /// A service under this policy.
    pub fn new(policy: Arc<Policy>) -> Self {
        Self { policy, flights: BTreeMap::new() }
    }

    /// The policy that it works under.
    pub fn policy(&self) -> &Arc<Policy> {
        &self.policy
    }

    /// Works under another policy from here on; requests that are under way end under it too.
    pub fn reconfigure(&mut self, policy: Arc<Policy>) {
        self.policy = policy;
    }

    fn begin(&self, request: ServiceRequest) -> Next {
        match request {
            ServiceRequest::Create(request) => create::begin(&self.policy, request),
            ServiceRequest::Preview(request) => {
                Next::Answer(Ok(Answer::Decision(Box::new(self.policy.decide(&request)))))
            }
            ServiceRequest::Cancel { job: Some(job), reason } => {
                Next::Store(Command::Load(job), Flight::CancelLoad { reason })
            }
            ServiceRequest::Get { job: Some(job), include_request } => {
                let form = if include_request { Form::Stored } else { Form::Projection };
                Next::Store(Command::Load(job), Flight::Get { form })
            }
            ServiceRequest::Cancel { job: None, .. } | ServiceRequest::Get { job: None, .. } => {
                Next::Answer(Ok(Answer::Job(None)))
            }
            ServiceRequest::Events { job: Some(job), after, limit } => {
                let command = Command::Events { job: job.clone(), after: after as u64, limit };
                Next::Store(command, Flight::Events { job, after })
            }
            ServiceRequest::Events { job: None, .. } => Next::Answer(Ok(Answer::Events(None))),
            ServiceRequest::Adapters => {
                Next::Answer(Ok(Answer::Adapters(Arc::clone(&self.policy.settings.registry))))
            }
            ServiceRequest::Status => Next::Answer(Ok(Answer::Status(Box::new(self.status())))),
            ServiceRequest::Claim(request) => claim::begin(*request),
            ServiceRequest::Lease(request) => self.lease(&request),
            ServiceRequest::Recover { limit } => {
                Next::Store(self.policy.list_expired(limit), Flight::Recover(RecoverFlight::Listing))
            }
            ServiceRequest::Stats => Next::Store(Command::QueueStats, Flight::StatsQueue),
            ServiceRequest::Switch { open } => Next::Store(Command::Switch { open }, Flight::Switch),
        }
    }

    fn lease(&self, request: &LeaseRequest) -> Next {
        if let LeaseOperation::Progress { kind, .. } = &request.operation
            && self.policy.rules.progress_types == ProgressTypes::Unreserved
            && RESERVED_TYPES.contains(&&**kind)
        {
            return Next::Answer(Err(Error::ProgressTypeReserved(kind.to_string())));
        }
        let command = self.policy.operate(request);
        let action = match &command {
            Command::Operate(operate) => operate.change.action(),
            _ => Action::Start,
        };
        Next::Store(command, Flight::Lease { action, echo: request.echo })
    }

    fn status(&self) -> StatusView {
        let settings = &self.policy.settings;
        StatusView {
            execution_enabled: settings.execution_enabled,
            store_kind: settings.store_kind,
            store_durable: settings.store_durable,
            registry: Arc::clone(&settings.registry),
        }
    }

    /// The store's reply to a flight.
    fn stored(&self, flight: Flight, reply: Reply) -> Next {
        match (flight, reply) {
            (Flight::Create(flight), reply) => create::stored(&self.policy, flight, reply),
            (Flight::CancelLoad { reason }, Reply::Found(found)) => self.cancel(found, &reason),
            (Flight::Cancel, Reply::Operated(Operated::Applied { record, .. }))
            | (Flight::Cancel, Reply::Operated(Operated::Refused { record: Some(record), .. })) => {
                Next::Answer(Ok(Answer::Job(Some(self.view(record)))))
            }
            (Flight::Get { form }, Reply::Found(found)) => {
                let view = |record| match form {
                    Form::Stored => self.view(record),
                    Form::Projection => JobView { record, form, token: None },
                };
                Next::Answer(Ok(Answer::Job(found.map(view))))
            }
            (Flight::Events { job, after }, Reply::Events(page)) => {
                Next::Answer(self.events(job, after, page))
            }
            (Flight::Claim(flight), reply) => claim::stored(&self.policy, flight, reply),
            (Flight::Lease { action, echo }, Reply::Operated(operated)) => {
                Next::Answer(lease_answer(&self.policy, action, echo, operated))
            }
            (Flight::Recover(flight), reply) => recover::stored(&self.policy, flight, reply),
            (Flight::StatsQueue, Reply::QueueStats(queue)) => {
                let command = Command::Workers { stale_after: self.policy.settings.stale_after };
                Next::Store(command, Flight::StatsWorkers { queue: Box::new(queue) })
            }
            (Flight::StatsWorkers { queue }, Reply::Workers(workers)) => {
                Next::Answer(Ok(Answer::Stats { queue: *queue, workers }))
            }
            (Flight::Switch, _) => Next::Answer(Ok(Answer::Done)),
            // Only a store that answers another question than the one it was asked gets here.
            _ => {
                Next::Answer(Err(Error::OutcomeUnknown("the store's reply does not fit the command".into())))
            }
        }
    }

    fn cancel(&self, found: Option<Arc<Record>>, reason: &Text) -> Next {
        match found {
            None => Next::Answer(Ok(Answer::Job(None))),
            Some(record) if record.status.is_final() || !record.spec.cancellation_allowed => {
                Next::Answer(Ok(Answer::Job(Some(self.view(record)))))
            }
            Some(record) => Next::Store(self.policy.cancel(record.id(), reason), Flight::Cancel),
        }
    }

    fn events(&self, job: JobId, after: f64, page: Option<crate::EventPage>) -> Answered {
        let Some(page) = page else { return Ok(Answer::Events(None)) };
        if self.policy.rules.cursor == Cursor::Refused && after > page.last as f64 {
            return Err(Error::CursorBeyondEnd { cursor: after as u64, last: page.last });
        }
        let next_cursor = page.events.last().map_or(after, |event| event.sequence as f64);
        Ok(Answer::Events(Some(EventList { job, events: page.events, next_cursor })))
    }

    /// The stored record as a client is shown it.
    fn view(&self, record: Arc<Record>) -> JobView {
        view_for_anyone(&self.policy, record)
    }
}

/// The one place where it is decided whether a token is shown to somebody who did not prove to hold it.
fn view_for_anyone(policy: &Policy, record: Arc<Record>) -> JobView {
    let token = match policy.rules.token_view {
        TokenView::Everyone => record.lease.as_ref().map(|lease| lease.token.clone()),
        TokenView::Claimant => None,
    };
    JobView { record, form: Form::Stored, token }
}

/// The stored record as the worker that holds it is shown it.
fn view_for_holder(record: Arc<Record>) -> JobView {
    let token = record.lease.as_ref().map(|lease| lease.token.clone());
    JobView { record, form: Form::Stored, token }
}

fn lease_answer(policy: &Policy, action: Action, echo: Option<OwnTime>, operated: Operated) -> Answered {
    match operated {
        Operated::Applied { record, replayed, now } => {
            let standing = Standing::of(&record, now, echo, replayed);
            Ok(Answer::Lease { job: view_for_holder(record), standing })
        }
        Operated::Refused { reason, record } => {
            // Who does not hold the lease may be a stranger, and learns nothing of the job.
            let tells =
                reason != Refusal::LeaseMismatch || policy.rules.guard_order == GuardOrder::StatusFirst;
            let current = record.filter(|_| tells).map(|record| record.status);
            Err(Error::Refused { action, reason, current })
        }
    }
}

impl Machine for Service {
    type Input = ServiceInput;
    type Effect = ServiceEffect;

    fn handle(&mut self, now: Timestamp, input: ServiceInput, effects: &mut Vec<ServiceEffect>) {
        let (id, next) = match input {
            ServiceInput::Request(id, request) => (id, self.begin(request)),
            ServiceInput::Stored(id, outcome) => {
                let Some(flight) = self.flights.remove(&id) else { return };
                let next = match outcome {
                    Outcome::Ok(reply) => self.stored(flight, reply),
                    Outcome::Failed(why) => Next::Answer(Err(Error::StoreUnavailable(why))),
                    Outcome::Unknown(why) => Next::Answer(Err(Error::OutcomeUnknown(why))),
                };
                (id, next)
            }
            ServiceInput::Admitted(id, answer) => {
                let Some(Flight::Create(flight)) = self.flights.remove(&id) else { return };
                (id, create::admitted(&self.policy, flight, answer))
            }
        };
        match next {
            Next::Store(command, flight) => {
                self.flights.insert(id, flight);
                effects.push(ServiceEffect::Store(id, self.policy.call(now, command)));
            }
            Next::Admit(request, flight) => {
                self.flights.insert(id, flight);
                effects.push(ServiceEffect::Admit(id, request));
            }
            Next::Answer(answer) => effects.push(ServiceEffect::Answer(id, answer)),
        }
    }
}
