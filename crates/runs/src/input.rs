use crate::{Accepted, Event, Failure, Final, Handle, Record, Request, RequestId};
use holdover_machine::Outcome;

/// A preparation, an execution or an abandoning, from its call to the end of everything that follows from it. The
/// recovery at a restart is one too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationId(pub u64);

/// One wait of the runtime for a decision. The shell never gives one twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WaitId(pub u64);

/// Everything that can happen to a coordinator. An answer to something that is not outstanding changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Input {
    /// The instance was built. Everything else waits until it has looked at what is stored.
    Start,
    /// Answers [`Effect::Load`](crate::Effect::Load).
    Loaded(Outcome<Option<Box<Record>>, Failure>),
    /// Answers the one write, arming or disarming that is outstanding.
    Stored(Outcome<(), Failure>),
    /// A request came in.
    Requested {
        /// Its name.
        id: RequestId,
        /// What it asks for.
        request: Request,
    },
    /// The client of a request, or of the stream that it was answered with, went away.
    Disconnected(RequestId),
    /// A subscriber took some bytes off its stream.
    Consumed {
        /// The stream.
        stream: RequestId,
        /// How many.
        bytes: u64,
    },
    /// A subscriber cancelled its stream.
    StreamCancelled(RequestId),
    /// The alarm went off; the platform has consumed it.
    Alarm(RequestId),
    /// The runtime is about to make something durable under this handle, once that is answered.
    HandleAnnounced {
        /// The preparation.
        operation: OperationId,
        /// The handle.
        handle: Option<Handle>,
    },
    /// Answers [`Effect::Prepare`](crate::Effect::Prepare).
    Prepared(OperationId, Outcome<Accepted, Failure>),
    /// Answers [`Effect::Execute`](crate::Effect::Execute) or [`Effect::Abandon`](crate::Effect::Abandon).
    Ended(OperationId, Outcome<Final, Failure>),
    /// Answers [`Effect::Recover`](crate::Effect::Recover).
    Recovered(OperationId, Outcome<(), Failure>),
    /// The runtime has an event.
    Emitted(Event),
    /// A call of the runtime waits for a decision.
    ApprovalWanted {
        /// The wait.
        wait: WaitId,
        /// The run that the runtime believes to carry out.
        run_id: String,
        /// The call.
        call_id: String,
    },
    /// The runtime gave up a wait, which is a denial.
    WaitAborted(WaitId),
}
