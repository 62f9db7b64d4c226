use super::{Call, DeliveryId, Received};
use crate::{Config, Lease, Offer, OfferError, Prepared, Record, Rules, Session, Text, check::is_time};
use holdover_machine::Timestamp;

/// The work on one offer, from a delivery to its answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Operation {
    /// The offer as first delivered.
    pub(super) offer: Offer,
    /// The deliveries that share the outcome, the first of which leads.
    pub(super) deliveries: Vec<DeliveryId>,
    /// What the operation waits for.
    pub(super) waiting: Waiting,
}

impl Operation {
    pub(super) fn new(delivery: DeliveryId, offer: Offer) -> Self {
        Self { offer, deliveries: vec![delivery], waiting: Waiting::FirstRead }
    }
}

/// What an operation waits for. A record in here is the durable one, as this operation knows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Waiting {
    FirstRead,
    Creation,
    SecondRead,
    /// The record will be the durable one once the write has succeeded.
    Write(Box<Record>, Then),
    Starting(Box<Record>),
    TrackedLease(Box<Record>, Purpose),
    Tracking(Box<Record>, Box<Lease>, Purpose),
    Preparation(Box<Record>),
    Start(Box<Record>, Option<Text>),
    Stop(Box<Record>),
    Running(Box<Record>, u32),
    Failure(Box<Record>, Report),
    Untracking(Box<Record>, Report),
}

/// What follows a write.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Then {
    /// What the record's state asks for.
    Continue,
    /// Prepare the context.
    Prepare,
    /// Start the process: the barrier has been crossed by this very operation.
    Start(Box<Prepared>),
    /// Report the failure, which this operation found.
    ReportFailure,
    /// Answer.
    Finish(Received),
}

/// What the newest lease is looked up for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// To launch with it.
    Launch,
    /// To acknowledge running with it, for the `n`-th time.
    Running(u32),
    /// To report a failure with it.
    Failure(Report),
}

/// A report of a failed start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Report {
    /// Which try it is, from 1.
    pub(super) attempt: u32,
    /// Whether an earlier delivery found the failure.
    pub(super) replay: bool,
}

/// Where a reply brings an operation.
pub(super) enum Advance {
    /// It asks for more.
    Wait(Waiting, Call),
    /// It is done.
    Done(Received),
    /// It did not wait for this.
    Unexpected(Waiting),
}

pub(super) type Advanced = Result<Advance, OfferError>;

/// All that a decision can depend on besides the record and the reply.
pub(super) struct Surroundings<'a> {
    pub(super) config: &'a Config,
    pub(super) rules: &'a Rules,
    pub(super) session: Option<&'a Session>,
    pub(super) offer: &'a Offer,
    pub(super) clock: Timestamp,
}

impl Surroundings<'_> {
    /// The time, if the clock shows one.
    pub(super) fn now(&self) -> Result<Timestamp, OfferError> {
        if is_time(self.clock) { Ok(self.clock) } else { Err(OfferError::Clock) }
    }

    /// Asks for the record's next revision and says what follows.
    pub(super) fn write(&self, record: &Record, then: Then, change: impl FnOnce(&mut Record)) -> Advanced {
        let next = Box::new(record.next(self.now()?, change)?);
        let call = Call::Replace { record: next.clone(), expected: record.revision };
        Ok(Advance::Wait(Waiting::Write(next, then), call))
    }
}
