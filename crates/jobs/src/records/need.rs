use super::{Kept, LastClaim};
use crate::{
    AdmissionCounts, Announcement, EventPage, Incarnation, JobId, Key, Order, QueueStats, Status, Subject,
    Text,
};
use holdover_machine::StoreTime;
use std::sync::Arc;

/// What a step must know. What each means is [`Need::among`], for those that are about jobs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Need {
    /// The job of this id: [`Found::Jobs`], at most one.
    Job(JobId),
    /// The job under this key: [`Found::Jobs`], at most one.
    Key(Key),
    /// The first jobs that these executors may be given at this time: [`Found::Jobs`]. A queued job may always be
    /// given, a retryable one once it is due.
    Ready {
        /// The executors.
        executors: Arc<[Text]>,
        /// When.
        now: StoreTime,
        /// In which order; see [`Order::compare`].
        order: Order,
        /// The most jobs.
        limit: u32,
    },
    /// The jobs whose lease ended at this time or before, oldest end first, then by creation number:
    /// [`Found::Jobs`].
    Expired {
        /// The last end.
        until: StoreTime,
        /// The most jobs.
        limit: u32,
    },
    /// How many jobs this process holds: [`Found::Held`].
    Held(Incarnation),
    /// The counts for admission: [`Found::Counts`].
    Counts {
        /// Whose jobs.
        subject: Subject,
        /// From when on a job is recent.
        since: StoreTime,
    },
    /// The totals of the queue: [`Found::Stats`].
    Stats {
        /// When.
        now: StoreTime,
    },
    /// A creation number, greater than every one that was given before: [`Found::Number`].
    Number,
    /// What is remembered of the last numbered claim of this process: [`Found::LastClaim`].
    LastClaim(Incarnation),
    /// Whether jobs are handed out: [`Found::Switch`].
    Switch,
    /// A page of the log of a job, none for an unknown one: [`Found::Events`].
    Events {
        /// The job.
        job: JobId,
        /// The last sequence number already seen.
        after: u64,
        /// The most events.
        limit: u64,
    },
    /// The workers in order of first announcement, with when each was seen last: [`Found::Workers`].
    Workers,
}

/// What a store has found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each says what it is by the need that it answers")]
pub enum Found {
    Jobs(Vec<Kept>),
    Held(u32),
    Counts(AdmissionCounts),
    Stats(QueueStats),
    Number(u32),
    LastClaim(Option<LastClaim>),
    Switch(bool),
    Events(Option<EventPage>),
    Workers(Vec<(Announcement, StoreTime)>),
}

impl Need {
    /// What is found among these jobs, by looking at all of them: the meaning of a need, and enough for a store that
    /// is small. `None` for a need that is not about jobs.
    pub fn among<'a>(&self, jobs: impl Iterator<Item = &'a Kept>) -> Option<Found> {
        Some(match self {
            Self::Job(id) => Found::Jobs(jobs.filter(|job| job.record.id() == id).cloned().collect()),
            Self::Key(key) => Found::Jobs(jobs.filter(|job| job.record.spec.key == *key).cloned().collect()),
            Self::Ready { executors, now, order, limit } => {
                let ready =
                    jobs.filter(|job| job.is_ready(*now) && executors.contains(&job.record.spec.executor));
                Found::Jobs(first(ready, *limit, |one, other| order.compare(&one.record, &other.record)))
            }
            Self::Expired { until, limit } => {
                let over = jobs.filter(|job| job.ends_at().is_some_and(|end| end <= *until));
                let place = |job: &Kept| (job.ends_at(), job.record.number);
                Found::Jobs(first(over, *limit, |one, other| place(one).cmp(&place(other))))
            }
            Self::Held(process) => Found::Held(jobs.filter(|job| job.is_held_by(*process)).count() as u32),
            Self::Counts { subject, since } => Found::Counts(count(jobs, subject, *since)),
            Self::Stats { now } => Found::Stats(stats(jobs, *now)),
            Self::Number | Self::LastClaim(_) | Self::Switch | Self::Events { .. } | Self::Workers => {
                return None;
            }
        })
    }
}

fn first<'a>(
    jobs: impl Iterator<Item = &'a Kept>,
    limit: u32,
    compare: impl Fn(&Kept, &Kept) -> std::cmp::Ordering,
) -> Vec<Kept> {
    let mut jobs: Vec<&Kept> = jobs.collect();
    jobs.sort_by(|one, other| compare(one, other));
    jobs.into_iter().take(limit as usize).cloned().collect()
}

fn count<'a>(jobs: impl Iterator<Item = &'a Kept>, subject: &Subject, since: StoreTime) -> AdmissionCounts {
    let mut counts = AdmissionCounts::default();
    for Kept { record, .. } in jobs {
        let (active, recent) = (u64::from(record.status.is_active()), u64::from(record.created_at >= since));
        counts.global_active += active;
        if subject.tenant.is_some() && record.tenant() == subject.tenant.as_ref() {
            counts.tenant_active += active;
            counts.tenant_recent += recent;
        }
        if subject.user.is_some() && record.user() == subject.user.as_ref() {
            counts.user_active += active;
            counts.user_recent += recent;
        }
    }
    counts
}

fn stats<'a>(jobs: impl Iterator<Item = &'a Kept>, now: StoreTime) -> QueueStats {
    let mut stats = QueueStats::default();
    for job in jobs {
        stats.counts[job.record.status as usize] += 1;
        stats.claimable += u64::from(job.is_ready(now));
        stats.expired += u64::from(job.ends_at().is_some_and(|end| end <= now));
    }
    stats
}

impl Kept {
    fn is_ready(&self, now: StoreTime) -> bool {
        match self.record.status {
            Status::Queued => true,
            Status::Retryable => self.record.next_attempt_at.is_none_or(|due| due <= now),
            _ => false,
        }
    }

    fn ends_at(&self) -> Option<StoreTime> {
        self.record.lease.as_ref().map(|lease| lease.expires_at)
    }

    fn is_held_by(&self, process: Incarnation) -> bool {
        self.record.lease.as_ref().is_some_and(|lease| lease.incarnation == Some(process))
    }
}
