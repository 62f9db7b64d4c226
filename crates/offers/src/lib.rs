#![doc = include_str!("../docs/story.md")]
//!
#![doc = include_str!("../docs/transitions.md")]
//!
#![doc = include_str!("../docs/crashes.md")]

mod check;
mod command;
mod config;
mod context;
mod digest;
mod error;
mod fence;
mod handle;
mod invalid;
mod journal;
mod lease;
mod offer;
mod offer_id;
mod receiver;
mod record;
mod recovery;
mod resources;
mod retention;
mod rules;
mod secret;
mod session;
mod spec;
mod startup;
mod state;
mod text;
mod tracker;

pub use check::WHOLE_MAX;
pub use command::{ARGUMENTS_MAX, COMMAND_BYTES_MAX, Command};
pub use config::{ACTIVATION_RETRIES_MAX, Config, EXECUTOR_TYPES_MAX};
pub use context::{CompletionCapability, Context, Prepared, ReceiptMetadata};
pub use digest::Digest;
pub use error::{OfferError, TargetError};
pub use fence::{Fence, FenceReason, RunningCommand};
pub use handle::Handle;
pub use invalid::Invalid;
pub use journal::*;
pub use lease::{Lease, LeaseStatus, ReleaseReason};
pub use offer::{Candidate, DeliveryKind, Offer, PlacementScore, WorkerTarget};
pub use offer_id::OfferId;
pub use receiver::{
    Activation, ActivationStatus, Call, DeliveryId, Effect, Input, Received, Receiver, Reply, Start,
};
pub use record::{RECORD_BYTES_MAX, Record};
pub use recovery::*;
pub use resources::{Enforcement, NumericLimit, ResourcePolicy};
pub use retention::{REMOVALS_MAX, RETENTION_RANGE, Retention, RetentionEffect, RetentionInput};
pub use rules::Rules;
pub use secret::{CompletionToken, Detail, Environment, LeaseToken};
pub use session::{Capabilities, Session, SessionStatus};
pub use spec::{EnvironmentPolicy, ExecutionSpec};
pub use startup::*;
pub use state::{RecoveryReason, State};
pub use text::Text;
pub use tracker::{
    LeaseTracker, Loss, LossReason, RENEWAL_RETRY_DEFAULT, RENEWAL_RETRY_RANGE, Refusal, Renewal,
    TrackerEffect, TrackerInput, refusal,
};
