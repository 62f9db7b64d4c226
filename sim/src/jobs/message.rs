use super::action::MessageId;
use super::node::Node;
use holdover_jobs::worker::CallId;
use holdover_jobs::{Answered, Call, FlightId, JobId, Record, Reply, ServiceRequest};
use holdover_machine::{Outcome, WorldTime};
use std::sync::Arc;

/// Something on its way from one node to another.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) id: MessageId,
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) sent_at: WorldTime,
    /// Whether it is the second copy of a message that has arrived.
    pub(super) copy: bool,
    pub(super) body: Body,
}

#[derive(Debug, Clone)]
pub(super) enum Body {
    Request(Arc<Origin>),
    Call {
        flight: FlightId,
        call: Box<Call>,
        origin: Arc<Origin>,
        /// What a service with a planted bug had read when it sent the call.
        seen: Option<Arc<Record>>,
    },
    Reply {
        flight: FlightId,
        outcome: Outcome<Reply>,
    },
    Answer {
        origin: Arc<Origin>,
        answer: Answered,
    },
    Touch(Touch),
}

/// A request and who sent it: it travels along with everything that the request brings about.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    /// Who asks.
    pub from: Node,
    /// Which run of its process.
    pub life: u32,
    /// The name that the answer carries back.
    pub call: CallId,
    /// The slot of the worker that it is for.
    pub slot: usize,
    /// What is asked.
    pub request: Arc<ServiceRequest>,
    /// The create as its client means it: the job and the twist.
    pub task: Option<(u8, super::task::Twist)>,
    /// When it was sent.
    pub sent_at: WorldTime,
}

/// An effect on the resource outside.
#[derive(Debug, Clone)]
pub(super) struct Touch {
    pub(super) job: JobId,
    pub(super) attempt: u32,
    pub(super) fence: Option<u32>,
}
