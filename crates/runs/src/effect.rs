use crate::{ErrorCode, Failure, Handle, OperationId, Record, RequestId, Response, WaitId};
use holdover_machine::{Secret, Timestamp};
use serde_json::Value;

/// Everything that a coordinator can want done. At most one of the first four is outstanding at any time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Read the record.
    Load,
    /// Write the record.
    Put(Box<Record>),
    /// Arm the one alarm.
    SetAlarm(Timestamp),
    /// Disarm it.
    DeleteAlarm,
    /// Have the runtime prepare the run.
    Prepare {
        /// Names the answer.
        operation: OperationId,
        /// The run.
        run_id: String,
        /// What the user asked for; it is never stored.
        request: Secret<Value>,
        /// On whose behalf.
        context: Context,
    },
    /// Answer the oldest open [`HandleAnnounced`](crate::Input::HandleAnnounced) of the preparation: only after an
    /// `Ok` may the runtime make anything durable.
    AnswerAnnouncement(OperationId, Result<(), Failure>),
    /// Tell the runtime to stop. Wanted once at most.
    Abort,
    /// Have the runtime carry out what it prepared.
    Execute(OperationId),
    /// Have the runtime drop what it prepared, as cancelled.
    Abandon(OperationId),
    /// Have the runtime end what it may have made durable under the handle.
    Recover {
        /// Names the answer.
        operation: OperationId,
        /// The handle.
        handle: Handle,
        /// On whose behalf.
        context: Context,
    },
    /// Answer an [`Emitted`](crate::Input::Emitted): wanted by the same input, if the instance is ready.
    AnswerEmit(Result<(), Failure>),
    /// Answer an [`ApprovalWanted`](crate::Input::ApprovalWanted): whether the call is allowed.
    AnswerWait(WaitId, Result<bool, Failure>),
    /// Answer a request.
    Respond(RequestId, Response),
    /// Answer a request with a stream.
    OpenStream(RequestId),
    /// Add a frame to a stream.
    Frame(RequestId, String),
    /// Close a stream; frames that were added can still be read.
    CloseStream(RequestId),
    /// Tell the platform whether the alarm was dealt with, so that it delivers a failed one again.
    AnswerAlarm(RequestId, Result<(), Failure>),
    /// Note that something failed which nobody waits for.
    ReportFailure(ErrorCode),
}

/// On whose behalf the runtime is called. The shell adds an id of its own for its log.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context {
    /// The identity of the owner.
    pub actor: Secret<Value>,
    /// When.
    pub now: Timestamp,
}
