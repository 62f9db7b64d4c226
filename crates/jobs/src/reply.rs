//! The store contract, the answering half.

use crate::{AdmissionCounts, Event, Record, Refusal, Status, WorkerView};
use holdover_machine::StoreTime;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// What a store answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// A record, or none.
    Found(Option<Arc<Record>>),
    /// What became of a create.
    Created(Created),
    /// What became of a claim.
    Claimed(Claimed),
    /// What became of a claim of several jobs.
    ClaimedMany(ClaimedMany),
    /// What became of an operation, a recovery or a cancel.
    Operated(Operated),
    /// What became of several operations, in their order.
    OperatedMany(Vec<Operated>),
    /// What became of an operation and of the claim after it.
    SettledAndClaimed {
        /// Of the operation.
        settled: Operated,
        /// Of the claim.
        claimed: Claimed,
    },
    /// The jobs whose lease is over.
    Expired(Vec<Arc<Record>>),
    /// The totals.
    QueueStats(QueueStats),
    /// The counts.
    AdmissionCounts(AdmissionCounts),
    /// A page of events, or none for an unknown job.
    Events(Option<EventPage>),
    /// The workers.
    Workers(Vec<WorkerView>),
    /// It is done and there is nothing to say.
    Done,
}

impl Reply {
    /// Lets every record of the reply be changed.
    pub fn each_record(&mut self, mut change: impl FnMut(&mut Arc<Record>)) {
        let mut of_operated = |operated: &mut Operated| match operated {
            Operated::Applied { record, .. } | Operated::Refused { record: Some(record), .. } => {
                change(record)
            }
            Operated::Refused { record: None, .. } => {}
        };
        match self {
            Self::Operated(operated) => of_operated(operated),
            Self::OperatedMany(list) => list.iter_mut().for_each(of_operated),
            Self::SettledAndClaimed { settled, claimed } => {
                of_operated(settled);
                claimed.grant_mut().into_iter().for_each(|grant| change(&mut grant.record));
            }
            Self::Claimed(claimed) => {
                claimed.grant_mut().into_iter().for_each(|grant| change(&mut grant.record));
            }
            Self::ClaimedMany(ClaimedMany::Granted(grants)) => {
                grants.iter_mut().for_each(|grant| change(&mut grant.record));
            }
            Self::Created(Created::New(record) | Created::Known(record) | Created::Unblocked(record)) => {
                change(record);
            }
            Self::Found(found) => found.iter_mut().for_each(change),
            Self::Expired(list) => list.iter_mut().for_each(change),
            Self::Created(Created::IdTaken)
            | Self::ClaimedMany(ClaimedMany::Stale(_))
            | Self::QueueStats(_)
            | Self::AdmissionCounts(_)
            | Self::Events(_)
            | Self::Workers(_)
            | Self::Done => {}
        }
    }
}

/// What became of a create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Created {
    /// A new job.
    New(Arc<Record>),
    /// The key was known; this is its job. Whether the request was the same is for the caller to compare.
    Known(Arc<Record>),
    /// The key was known and its job was blocked; it was judged again and let in.
    Unblocked(Arc<Record>),
    /// The job id was taken under another key.
    IdTaken,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Claimed {
    /// A grant.
    Granted(Grant),
    /// Nothing to hand out.
    Nothing,
    /// The number was overtaken by this one.
    Stale(u64),
    /// The number was granted, and the grant is over.
    Over,
}

impl Claimed {
    fn grant_mut(&mut self) -> Option<&mut Grant> {
        match self {
            Self::Granted(grant) => Some(grant),
            Self::Nothing | Self::Stale(_) | Self::Over => None,
        }
    }
}

/// What became of a claim of several jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ClaimedMany {
    /// The grants in the order in which they were made, none where there was nothing to hand out. A repeat is
    /// given those that are not over.
    Granted(Vec<Grant>),
    /// The number was overtaken by this one.
    Stale(u64),
}

/// A job in a worker's hands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grant {
    /// The job.
    pub record: Arc<Record>,
    /// Whether it was granted before and this is the answer again.
    pub replayed: bool,
    /// The store's time, to say what remains.
    pub now: StoreTime,
}

/// What became of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Operated {
    /// It was carried out, or had been.
    Applied {
        /// The job afterwards.
        record: Arc<Record>,
        /// Whether it had been carried out before and this is the answer again.
        replayed: bool,
        /// The store's time, to say what remains.
        now: StoreTime,
    },
    /// It was not.
    Refused {
        /// Why.
        reason: Refusal,
        /// The job, where there is one.
        record: Option<Arc<Record>>,
    },
}

/// The totals of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct QueueStats {
    /// Jobs by status, in the order of [`Status::ALL`].
    pub counts: [u64; Status::ALL.len()],
    /// Jobs that could be claimed now, whatever executors there are.
    pub claimable: u64,
    /// Held jobs whose lease is over.
    pub expired: u64,
}

impl QueueStats {
    /// All jobs.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The totals as they are shown, with the members beside the workers'.
    pub fn to_members(&self) -> Map<String, Value> {
        let counts: Map<String, Value> = Status::ALL
            .iter()
            .zip(self.counts)
            .filter(|(_, count)| *count > 0)
            .map(|(status, count)| (status.as_str().to_owned(), count.into()))
            .collect();
        let mut members = Map::new();
        members.insert("total".into(), self.total().into());
        members.insert("counts".into(), json!(counts));
        members.insert("claimable".into(), self.claimable.into());
        members.insert("expiredLeases".into(), self.expired.into());
        members
    }
}

/// A page of a job's events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventPage {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The last sequence number of the whole log.
    pub last: u64,
}

impl EventPage {
    /// The page after so many events of a whole log.
    pub fn of(log: &[Event], after: u64, limit: u64) -> Self {
        let from = usize::try_from(after).unwrap_or(usize::MAX).min(log.len());
        let to = from.saturating_add(usize::try_from(limit).unwrap_or(usize::MAX)).min(log.len());
        Self { events: log[from..to].to_vec(), last: log.len() as u64 }
    }
}
