//! What the world tells those who watch it. Facts are all that invariants see: never a rule, never a machine.

use super::message::Origin;
use super::node::Node;
use super::promise::Promise;
use holdover_jobs::{Answered, Call, Event, Record, Reply, Table};
use holdover_machine::{Span, StoreTime, WorldTime};

/// Something that has happened.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fact<'a> {
    /// The store has carried a call out.
    Executed {
        /// Whose request it belongs to.
        origin: &'a Origin,
        /// The call.
        call: &'a Call,
        /// The reply, whether or not it arrives.
        reply: &'a Reply,
        /// The jobs that it has changed.
        changes: &'a [Change<'a>],
        /// The time that it was judged by.
        judged_at: StoreTime,
    },
    /// Somebody has got an answer.
    Answered {
        /// To which request.
        origin: &'a Origin,
        /// The answer.
        answer: &'a Answered,
    },
    /// What workers believe, after something that may have changed it.
    Believing(&'a [Belief]),
    /// A worker has looked at its clock and goes about an effect.
    Working {
        /// The worker.
        worker: Node,
        /// The job's creation number.
        job: u32,
        /// The attempt.
        attempt: u32,
        /// Whether it looked before a pause, and so may be late.
        stalled: bool,
    },
    /// An effect has reached a resource that compares fencing numbers.
    Touched {
        /// Who did it.
        worker: Node,
        /// The job's creation number.
        job: u32,
        /// The attempt as which it was done.
        attempt: u32,
        /// Whether the resource took it.
        accepted: bool,
    },
    /// The operator has switched the handing out of jobs, and was told that it is done.
    Switched {
        /// Whether jobs are handed out.
        open: bool,
    },
    /// All faults have stopped.
    Healing,
    /// The leases that nobody kept when the faults stopped were taken away, or not within the bound.
    Recovered {
        /// How long it took.
        took: Span,
        /// The bound.
        bound: Span,
        /// A job that is still held, when the bound is over.
        stuck: Option<&'a Record>,
    },
    /// Every job has ended or is parked, or not within the bound.
    Converged {
        /// How long it took.
        took: Span,
        /// The bound.
        bound: Span,
        /// A job that has not ended, when the bound is over.
        stuck: Option<&'a Record>,
    },
}

/// A job that a call has changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change<'a> {
    /// Its record before; none for a new job.
    pub before: Option<&'a Record>,
    /// Its record after.
    pub after: &'a Record,
    /// The events that came with it.
    pub events: &'a [Event],
    /// Its whole log.
    pub log: &'a [Event],
}

/// A worker believes that it holds a job and may work on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Belief {
    /// The worker.
    pub worker: Node,
    /// The job's creation number.
    pub job: u32,
    /// The attempt.
    pub attempt: u32,
}

/// Where and when a fact is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene<'a> {
    /// True time.
    pub now: WorldTime,
    /// The number of the action.
    pub step: u32,
    /// What the deployment promises.
    pub promise: &'a Promise,
    /// Everything that is stored.
    pub table: &'a Table,
    /// The create that a client means by a job and a twist.
    pub tasks: &'a super::task::Tasks,
}
