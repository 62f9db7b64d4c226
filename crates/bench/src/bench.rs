use crate::history::History;
use crate::worker::Worker;
use crate::{BenchError, Calls, Lap, Load, now};
use holdover::history::HistoryVerdict;
use holdover_jobs::{Created, Reply};
use holdover_store::Store;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// So many jobs are created at once, so that stores which group what waits are not held up.
const CREATES: u64 = 64;

/// A store that is measured, and how far that has come.
#[derive(Debug)]
pub struct Bench<S> {
    store: Arc<S>,
    created: u64,
    taken: u64,
    workers: u64,
    history: Option<History>,
}

impl<S: Store> Bench<S> {
    /// Of this store, which must be empty. A history that is checked costs about a microsecond a call.
    pub fn new(store: S, checked: bool) -> Self {
        let history = checked.then(History::new);
        Self { store: Arc::new(store), created: 0, taken: 0, workers: 0, history }
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Creates jobs until so many are ready.
    ///
    /// # Errors
    /// The store is not empty, or fails.
    pub async fn fill(&mut self, ready: u64) -> Result<(), BenchError> {
        let until = self.taken + ready;
        let lanes: Vec<_> = (self.created..until.min(self.created + CREATES))
            .map(|first| tokio::spawn(create(Arc::clone(&self.store), first, until)))
            .collect();
        for lane in lanes {
            joined(lane).await?;
        }
        self.created = self.created.max(until);
        Ok(())
    }

    /// Lets workers take jobs, which must be there.
    ///
    /// # Errors
    /// The store fails.
    pub async fn lap(&mut self, load: &Load) -> Result<Lap, BenchError> {
        let noted_from = self.history.as_ref().map(History::begin);
        let begin = now();
        let start = |worker| {
            let worker = Worker::new(Arc::clone(&self.store), worker, begin, load, noted_from);
            tokio::spawn(worker.work(load.shape))
        };
        let started: Vec<_> = (self.workers..self.workers + load.workers).map(start).collect();
        self.workers += load.workers;
        let (mut lap, mut noted) = (Lap::new(), Vec::new());
        for worker in started {
            let (done, events) = joined(worker).await?;
            lap.add(&done);
            noted.extend(events);
        }
        self.taken += lap.jobs + lap.wrong;
        if let Some(history) = &mut self.history {
            history.take(noted)?;
        }
        Ok(lap)
    }

    /// What the check of the history says, where there is one.
    ///
    /// # Errors
    /// It is none: no worker has asked for anything.
    pub fn finish(self) -> Result<Option<HistoryVerdict>, BenchError> {
        self.history.map(History::finish).transpose()
    }
}

/// Every so many jobs from the first on.
async fn create<S: Store>(store: Arc<S>, first: u64, until: u64) -> Result<(), BenchError> {
    for number in (first..until).step_by(CREATES as usize) {
        let reply = store.execute(Calls::create(number)).await;
        match reply.map_err(|source| BenchError::Store { what: "create", source })? {
            Reply::Created(Created::New(_)) => {}
            other => {
                let said = format!("{other:?}").chars().take(120).collect();
                return Err(BenchError::Backlog { number, said });
            }
        }
    }
    Ok(())
}

async fn joined<T>(task: JoinHandle<Result<T, BenchError>>) -> Result<T, BenchError> {
    match task.await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(cancelled) => panic!("nobody cancels a task of a bench: {cancelled}"),
        },
    }
}
