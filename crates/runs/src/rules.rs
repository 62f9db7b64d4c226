//! The rules that may differ between variants, each with one home.
//!
//! Where a rule is a choice or a bound it is a field of [`Rules`], asked at one place. Where it is how something is
//! worded, counted or decided it is one function:
//!
//! | rule | function |
//! |---|---|
//! | how a run ends whose preparation was cancelled (W-C7) | `Coordinator::preparation_failed` |
//! | what a wait gets that is asked for after the abort (W-C8) | `Coordinator::approval_wanted` |
//! | what a stream with too much unread gets (W-C10) | `Stream::push` |
//! | what of an event is published (W-C11) | `Event::payload` |
//! | what a resuming caller gets, which reason a refused one is told (W-C13, W-C19) | `Coordinator::refusal` |
//! | who is the owner (W-C16) | `Coordinator::owns` |
//! | how long a request body may be (W-C20) | `Request::json` |
//! | what a call that may have been carried out counts as | `failure::answered` |
//!
//! Deadlines of port calls (W-C12) are the shell's. That a result is lost when the coordinator dies before it is
//! written (W-C14) is a limit.

use holdover_machine::Span;

/// The rules of a coordinator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// How long an accepted run waits for its subscriber.
    pub accepted_for: Span,
    /// From how many unread bytes on a stream takes no further frame.
    pub unread_max: u64,
    /// The longest identity header, in UTF-16 code units.
    pub identity_header_max: usize,
    /// What a restart records when the runtime could not recover the interrupted run (W-C1).
    pub interrupted: Interrupted,
    /// What becomes of a run whose execution failed when its recovery fails too (W-C2).
    pub unrecovered: Unrecovered,
    /// Whether memory changes before or after the write that makes it durable (W-C3, W-C4, W-C6).
    pub memory: Memory,
    /// What a failing alarm deletion at the end of a run holds up (W-C5).
    pub end: End,
    /// How many approvals may be pending (W-C9).
    pub approvals: Approvals,
    /// What a subscriber that goes away means for the run (W-C13).
    pub departure: Departure,
    /// What an accepting client that goes away before the preparation leaves in the record (W-C15).
    pub early_departure: EarlyDeparture,
    /// What a revision counts (W-C17).
    pub revision: Revision,
    /// Over which time the frame ids of a run grow (W-C18).
    pub frame_ids: FrameIds,
}

impl Rules {
    /// The rules of the original design.
    pub const fn original() -> Self {
        Self {
            accepted_for: Span::from_ms(30_000),
            unread_max: 1_048_576,
            identity_header_max: 131_072,
            interrupted: Interrupted::IsFailed,
            unrecovered: Unrecovered::StaysRunning,
            memory: Memory::First,
            end: End::AfterDisarming,
            approvals: Approvals::One,
            departure: Departure::Cancels,
            early_departure: EarlyDeparture::IsUnrecorded,
            revision: Revision::CountsAttempts,
            frame_ids: FrameIds::PerInstance,
        }
    }
}

/// See [`Rules::interrupted`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interrupted {
    /// The run is failed all the same, and this instance answers everything with the failure.
    IsFailed,
}

/// See [`Rules::unrecovered`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unrecovered {
    /// The operation fails and the record stays as it is, until a restart.
    StaysRunning,
}

/// See [`Rules::memory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Memory changes at once and stays changed when the write fails.
    First,
}

/// See [`Rules::end`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// The end is published and the stream closed only once the alarm is deleted.
    AfterDisarming,
}

/// See [`Rules::approvals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Approvals {
    /// A second one is refused to the runtime.
    One,
}

/// See [`Rules::departure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Departure {
    /// The run is cancelled.
    Cancels,
}

/// See [`Rules::early_departure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EarlyDeparture {
    /// The abort is in memory only.
    IsUnrecorded,
}

/// See [`Rules::revision`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Revision {
    /// Every attempt to write, also one that fails.
    CountsAttempts,
}

/// See [`Rules::frame_ids`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameIds {
    /// From 1 in every coordinator instance, over all of its streams.
    PerInstance,
}
