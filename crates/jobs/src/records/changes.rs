use super::{Found, LastClaim, Need};
use crate::{AdmissionCounts, Announcement, Event, Incarnation, JobId, Key, Record, Subject, Text};
use holdover_machine::StoreTime;

/// What a step changes: a store makes all of it, or none of it if a condition does not hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// What must still be as the step has found it.
    pub conditions: Vec<Condition>,
    /// The jobs that are new or changed.
    pub jobs: Vec<Changed>,
    /// What is to be remembered of a numbered claim of this process, in the place of what was.
    pub last_claim: Option<(Incarnation, LastClaim)>,
    /// The store may forget the last claims of processes that were last in use before this and hold nothing.
    pub forget_claims_before: Option<StoreTime>,
    /// A worker has announced itself; its place in the order of first announcements stays.
    pub announced: Option<(Announcement, StoreTime)>,
    /// Workers that were seen; one that never announced itself is not registered by it.
    pub seen: Vec<(Text, StoreTime)>,
    /// The operator's switch.
    pub open: Option<bool>,
}

/// A job that is new or changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// Its record now.
    pub record: Record,
    /// The events to append to its log, in order.
    pub events: Vec<Event>,
    /// Whether the job is new.
    pub new: bool,
}

/// What must still be as it was found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Condition {
    /// The job is there, at this revision.
    Unchanged(JobId, u64),
    /// There is no job of this id.
    NoJob(JobId),
    /// There is no job under this key.
    NoKey(Key),
    /// The last claim of the process bears this number, or there is none.
    LastClaim(Incarnation, Option<u64>),
    /// The process holds so many jobs.
    Held(Incarnation, u32),
    /// Jobs are handed out, or not.
    Switch(bool),
    /// The counts for admission are these.
    Counts {
        /// Whose jobs.
        subject: Subject,
        /// From when on a job is recent.
        since: StoreTime,
        /// The counts.
        counts: AdmissionCounts,
    },
}

impl Changes {
    /// Whether nothing is changed; conditions without a change ask for nothing.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
            && self.last_claim.is_none()
            && self.announced.is_none()
            && self.seen.is_empty()
            && self.open.is_none()
    }
}

impl Changes {
    /// Makes the changes in a registry of workers that is in order of first announcement.
    pub fn register(&self, workers: &mut Vec<(Announcement, StoreTime)>) {
        if let Some((announcement, at)) = &self.announced {
            let entry = (announcement.clone(), *at);
            match workers.iter_mut().find(|(known, _)| known.worker == announcement.worker) {
                Some(known) => *known = entry,
                None => workers.push(entry),
            }
        }
        for (worker, at) in &self.seen {
            let known = workers.iter_mut().filter(|(known, _)| known.worker == *worker);
            known.for_each(|(_, seen)| *seen = *at);
        }
    }
}

impl Condition {
    /// What must be read to judge it.
    pub fn need(&self) -> Need {
        match self {
            Self::Unchanged(job, _) | Self::NoJob(job) => Need::Job(job.clone()),
            Self::NoKey(key) => Need::Key(key.clone()),
            Self::LastClaim(process, _) => Need::LastClaim(*process),
            Self::Held(process, _) => Need::Held(*process),
            Self::Switch(_) => Need::Switch,
            Self::Counts { subject, since, .. } => Need::Counts { subject: subject.clone(), since: *since },
        }
    }

    /// Whether it holds, after what was found for its need.
    pub fn holds(&self, found: &Found) -> bool {
        match (self, found) {
            (Self::Unchanged(_, revision), Found::Jobs(jobs)) => {
                jobs.first().is_some_and(|job| job.revision == *revision)
            }
            (Self::NoJob(_) | Self::NoKey(_), Found::Jobs(jobs)) => jobs.is_empty(),
            (Self::LastClaim(_, number), Found::LastClaim(last)) => {
                last.as_ref().map(|last| last.number) == *number
            }
            (Self::Held(_, held), Found::Held(now)) => held == now,
            (Self::Switch(open), Found::Switch(now)) => open == now,
            (Self::Counts { counts, .. }, Found::Counts(now)) => counts == now,
            _ => false,
        }
    }
}
