#![doc = include_str!("../docs/story.md")]
//!
#![doc = include_str!("../docs/transitions.md")]
//!
#![doc = include_str!("../docs/crashes.md")]

mod accept;
mod approval;
mod base64;
mod cancel;
mod contract;
mod coordinator;
mod effect;
mod error_code;
mod event;
mod failure;
mod finish;
mod input;
mod operation;
mod phase;
mod public_error;
mod queue;
mod record;
mod request;
mod response;
mod restart;
pub mod rules;
mod snapshot;
mod stream;
mod subscribe;
mod turn;

pub use contract::{Contract, Identity};
pub use coordinator::Coordinator;
pub use effect::{Context, Effect};
pub use error_code::ErrorCode;
pub use event::{Event, EventError};
pub use failure::{Failure, Reason};
pub use input::{Input, OperationId, WaitId};
pub use phase::{Phase, RunStatus};
pub use public_error::{Details, PublicError};
pub use record::{Accepted, Handle, Pending, Record};
pub use request::{Request, RequestId};
pub use response::{Body, Response, STREAM_HEADERS};
pub use rules::Rules;
pub use snapshot::{Final, Snapshot};

pub(crate) use public_error::ErrorIds;
