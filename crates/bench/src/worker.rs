use crate::notes::Notes;
use crate::{BenchError, Calls, Lap, Load, Shape, now};
use holdover::history::{HistoryEvent, Told};
use holdover_jobs::{Call, Claimed, ClaimedMany, Grant, Operated, Record, Reply};
use holdover_store::Store;
use std::sync::Arc;
use std::time::Instant;

/// A worker of a lap.
pub(crate) struct Worker<S> {
    store: Arc<S>,
    calls: Calls,
    begin: Instant,
    until: Instant,
    jobs: u64,
    lap: Lap,
    notes: Notes,
}

/// What a worker has done, and noted.
type Done = (Lap, Vec<HistoryEvent<Told>>);

impl<S: Store> Worker<S> {
    /// The worker of this number, which no other has had.
    pub(crate) fn new(
        store: Arc<S>,
        number: u64,
        begin: Instant,
        load: &Load,
        noted_from: Option<Instant>,
    ) -> Self {
        Self {
            store,
            calls: Calls::of(number),
            begin,
            until: begin + load.lasts,
            jobs: load.jobs_each(),
            lap: Lap::new(),
            notes: Notes::new(number, noted_from),
        }
    }

    /// Takes jobs until it has had its share or time is over.
    pub(crate) async fn work(mut self, shape: Shape) -> Result<Done, BenchError> {
        match shape {
            Shape::Single => self.singly().await?,
            Shape::Fused => self.fused().await?,
            Shape::Batch => self.in_batches(shape.jobs()).await?,
        }
        self.lap.elapsed = now().duration_since(self.begin);
        Ok((self.lap, self.notes.into_events()))
    }

    /// Whether there is more to do. A job that went wrong is one of its share, so that nothing goes on for ever.
    fn goes_on(&self) -> bool {
        self.lap.jobs + self.lap.wrong < self.jobs && now() < self.until
    }

    async fn singly(&mut self) -> Result<(), BenchError> {
        while self.goes_on() {
            if let Some(grant) = self.claim().await? {
                self.complete(&grant.record).await?;
            }
        }
        Ok(())
    }

    async fn fused(&mut self) -> Result<(), BenchError> {
        while self.goes_on() {
            let mut held = self.claim().await?;
            while let Some(grant) = held.take() {
                // Its last job is completed alone.
                if self.lap.jobs + self.lap.wrong + 1 < self.jobs && now() < self.until {
                    held = self.complete_and_claim(&grant.record).await?;
                } else {
                    self.complete(&grant.record).await?;
                }
            }
        }
        Ok(())
    }

    async fn in_batches(&mut self, size: u64) -> Result<(), BenchError> {
        while self.goes_on() {
            let call = self.calls.claim_many(size as usize);
            self.notes.claims(size);
            let grants = match self.execute("claim of several", call).await? {
                Reply::ClaimedMany(ClaimedMany::Granted(grants)) => grants,
                _ => Vec::new(),
            };
            let records = || grants.iter().map(|grant| &*grant.record);
            self.notes.granted(size, records());
            self.lap.wrong += size - grants.len() as u64;
            if grants.is_empty() {
                continue;
            }
            let call = self.calls.complete_many(records());
            self.notes.completes(records());
            let operated = match self.execute("completion of several", call).await? {
                Reply::OperatedMany(operated) => operated,
                _ => Vec::new(),
            };
            let done = operated.iter().map(is_applied).chain(std::iter::repeat(false));
            self.completed(done.zip(records()));
        }
        Ok(())
    }

    async fn claim(&mut self) -> Result<Option<Grant>, BenchError> {
        let call = self.calls.claim();
        self.notes.claims(1);
        let reply = self.execute("claim", call).await?;
        Ok(self.claimed(if let Reply::Claimed(claimed) = reply { Some(claimed) } else { None }))
    }

    async fn complete(&mut self, record: &Record) -> Result<(), BenchError> {
        let call = self.calls.complete(record);
        self.notes.completes([record].into_iter());
        let reply = self.execute("completion", call).await?;
        let done = matches!(&reply, Reply::Operated(operated) if is_applied(operated));
        self.completed([(done, record)].into_iter());
        Ok(())
    }

    async fn complete_and_claim(&mut self, record: &Record) -> Result<Option<Grant>, BenchError> {
        let call = self.calls.complete_and_claim(record);
        self.notes.completes([record].into_iter());
        self.notes.claims(1);
        let reply = self.execute("completion with a claim", call).await?;
        let Reply::SettledAndClaimed { settled, claimed } = reply else {
            self.completed([(false, record)].into_iter());
            return Ok(self.claimed(None));
        };
        self.completed([(is_applied(&settled), record)].into_iter());
        Ok(self.claimed(Some(claimed)))
    }

    fn claimed(&mut self, claimed: Option<Claimed>) -> Option<Grant> {
        let grant = match claimed {
            Some(Claimed::Granted(grant)) => Some(grant),
            _ => None,
        };
        self.notes.granted(1, grant.iter().map(|grant| &*grant.record));
        self.lap.wrong += u64::from(grant.is_none());
        grant
    }

    fn completed<'a>(&mut self, records: impl Iterator<Item = (bool, &'a Record)> + Clone) {
        let (done, all) =
            records.clone().fold((0, 0), |(done, all), (one, _)| (done + u64::from(one), all + 1));
        self.lap.jobs += done;
        self.lap.wrong += all - done;
        self.notes.completed(records);
    }

    async fn execute(&mut self, what: &'static str, call: Call) -> Result<Reply, BenchError> {
        let begin = now();
        let reply = self.store.execute(call).await;
        self.lap.latency.saturating_record(u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX));
        reply.map_err(|source| BenchError::Store { what, source })
    }
}

fn is_applied(operated: &Operated) -> bool {
    matches!(operated, Operated::Applied { replayed: false, .. })
}
