use crate::now;
use holdover::history::{HistoryEvent, OperationKind, Told, Type};
use holdover_jobs::Record;
use std::time::Instant;

/// So many jobs a worker may ask about in one call: each is an asker of its own in the history.
pub(crate) const LANES: u64 = 16;

/// What one worker notes of what it asks and is told, where a history is kept.
#[derive(Debug)]
pub(crate) struct Notes {
    begin: Option<Instant>,
    worker: u64,
    events: Vec<HistoryEvent<Told>>,
}

impl Notes {
    /// Of this worker, with times since then; without them nothing is noted.
    pub(crate) fn new(worker: u64, begin: Option<Instant>) -> Self {
        Self { begin, worker, events: Vec::new() }
    }

    pub(crate) fn into_events(self) -> Vec<HistoryEvent<Told>> {
        self.events
    }

    /// So many jobs are claimed.
    pub(crate) fn claims(&mut self, jobs: u64) {
        for lane in 0..jobs {
            self.note(lane, Type::Invoke, OperationKind::Claim, None);
        }
    }

    /// These were granted, of so many that were asked for.
    pub(crate) fn granted<'a>(&mut self, asked: u64, records: impl Iterator<Item = &'a Record>) {
        let mut records = records.fuse();
        for lane in 0..asked {
            self.note(lane, Type::Ok, OperationKind::Claim, records.next().map(leased));
        }
    }

    /// The worker is done with these jobs.
    pub(crate) fn completes<'a>(&mut self, records: impl Iterator<Item = &'a Record>) {
        self.each(records.map(|record| (Type::Invoke, record)));
    }

    /// Which of them were completed.
    pub(crate) fn completed<'a>(&mut self, records: impl Iterator<Item = (bool, &'a Record)>) {
        self.each(records.map(|(done, record)| (if done { Type::Ok } else { Type::Fail }, record)));
    }

    fn each<'a>(&mut self, records: impl Iterator<Item = (Type, &'a Record)>) {
        for (lane, (kind, record)) in (LANES / 2..).zip(records) {
            self.note(lane, kind, OperationKind::Complete, Some(leased(record)));
        }
    }

    fn note(&mut self, lane: u64, kind: Type, f: OperationKind, told: Option<(&str, u32)>) {
        let Some(begin) = self.begin else { return };
        let (job, attempt) = told.unzip();
        self.events.push(HistoryEvent {
            index: 0,
            time: i64::try_from(now().duration_since(begin).as_nanos()).unwrap_or(i64::MAX),
            process: self.worker * LANES * 2 + lane,
            kind,
            f: f.as_str().to_owned(),
            value: Told {
                job: job.map(Into::into),
                attempt: attempt.map(Into::into),
                worker: (f == OperationKind::Claim).then(|| self.worker.into()),
                ..Told::default()
            },
            error: None,
        });
    }
}

/// The job, and its fencing number: that of the lease it has.
fn leased(record: &Record) -> (&str, u32) {
    (record.id().as_str(), record.lease.as_ref().map_or(record.attempts, |lease| lease.attempt))
}
