use crate::client::Refused;
use crate::clock::Clock;
use crate::draw::{draw_job_id, draw_token};
use crate::peer::Response;
use crate::server::Handler;
use holdover_jobs::{Answered, Drawn, Error, Policy, Service, ServiceEffect, ServiceInput, ServiceRequest};
use holdover_machine::Machine;
use holdover_store::{Store, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;

/// A request to a job service, on the wire.
#[derive(Debug, Serialize)]
pub struct JobRequest<'a> {
    /// The operation, e.g. `claim`.
    pub operation: &'a str,
    /// Its arguments.
    pub arguments: &'a Value,
}

/// The same, as it is read.
#[derive(Debug, Deserialize)]
struct OwnedRequest {
    operation: String,
    #[serde(default)]
    arguments: Value,
}

/// A job service over a store. It keeps nothing: every request is a machine of its own, which dies with it.
pub struct JobService<S> {
    policy: Arc<Policy>,
    store: S,
    clock: Arc<dyn Clock>,
}

impl<S: Store> JobService<S> {
    /// A service under this policy.
    pub fn new(policy: Arc<Policy>, store: S, clock: Arc<dyn Clock>) -> Self {
        Self { policy, store, clock }
    }

    /// Reads a request and answers it.
    pub async fn call(&self, operation: &str, arguments: &Value) -> Answered {
        let drawn = Drawn { job_id: draw_job_id(), token: draw_token() };
        self.answer_request(ServiceRequest::read(operation, arguments, &self.policy, &drawn)?).await
    }

    /// Answers a request: carries the machine's effects out, one after the other, until there is an answer.
    pub async fn answer_request(&self, request: ServiceRequest) -> Answered {
        let mut machine = Service::new(Arc::clone(&self.policy));
        let mut effects = Vec::new();
        let mut input = ServiceInput::Request(1, request);
        loop {
            machine.handle(self.clock.now(), input, &mut effects);
            input = match effects.pop() {
                Some(ServiceEffect::Store(flight, call)) => {
                    ServiceInput::Stored(flight, StoreError::outcome(self.store.execute(call).await))
                }
                // Nobody outside is there to be asked, so nobody can say yes.
                Some(ServiceEffect::Admit(flight, _)) => ServiceInput::Admitted(
                    flight,
                    json!({ "allowed": false, "reason": "executor_admission_unavailable" }),
                ),
                Some(ServiceEffect::Answer(_, answer)) => return answer,
                None => return Err(Error::OutcomeUnknown("the service has no answer".into())),
            };
        }
    }
}

impl<S: Store> Handler for JobService<S> {
    async fn answer(&self, frame: Vec<u8>) -> Vec<u8> {
        let request: OwnedRequest = match serde_json::from_slice(&frame) {
            Ok(request) => request,
            Err(error) => return self.refuse(&format!("the frame is no request: {error}")),
        };
        write(match self.call(&request.operation, &request.arguments).await {
            Ok(answer) => Response::Ok(answer.to_json()),
            Err(error) => Response::Error(error.to_json()),
        })
    }

    fn refuse(&self, why: &str) -> Vec<u8> {
        let (code, message) = ("EXECUTOR_FRAME_INVALID".to_owned(), why.to_owned());
        write(Response::<Value, _>::Error(Refused { code, status: 400, message, details: Value::Null }))
    }
}

fn write(response: Response<Value, impl Serialize>) -> Vec<u8> {
    serde_json::to_vec(&response).expect("JSON can be written")
}

impl<S> fmt::Debug for JobService<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobService").field("policy", &self.policy).finish_non_exhaustive()
    }
}
