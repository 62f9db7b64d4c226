use crate::client::CallError;
use holdover_jobs::worker::{CallId, Hand};
use holdover_jobs::{JobError, JobId, JobResult, ServiceRequest, Text};
use holdover_machine::Span;
use serde_json::Value;
use std::future::Future;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

/// What a worker does with its jobs.
pub trait Work: Send + Sync + 'static {
    /// Does a job. It is dropped where it stands once the lease is over or a cancel is obeyed.
    fn run(&self, task: Task) -> impl Future<Output = Result<JobResult, Failure>> + Send;

    /// Carries out one effect on the resource that the job is about: the first one, which shows the fencing number,
    /// or one that the work has asked for and that the lease still covered.
    fn touch(&self, touch: Touch);
}

/// A job that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Why.
    pub error: JobError,
    /// When the next attempt would be welcome.
    pub delay: Span,
}

/// One effect on the resource outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The job.
    pub job: JobId,
    /// The attempt as which it is done.
    pub attempt: u32,
    /// The fencing number, where the worker sends one.
    pub fence: Option<u32>,
}

/// A job to be done, and the way to tell of it.
#[derive(Debug, Clone)]
pub struct Task {
    /// The job.
    pub job: JobId,
    /// The attempt.
    pub attempt: u32,
    /// The job as the grant showed it, its request among it.
    pub detail: Value,
    slot: usize,
    news: UnboundedSender<News>,
}

impl Task {
    pub(super) fn new(slot: usize, hand: &Hand, detail: Value, news: UnboundedSender<News>) -> Self {
        Self { job: hand.job.clone(), attempt: hand.attempt, detail, slot, news }
    }

    /// Tells of the progress. It goes along without being waited for.
    pub fn progress(&self, kind: impl Into<Text>, data: Value) {
        self.tell(News::Progress { slot: self.slot, attempt: self.attempt, kind: kind.into(), data });
    }

    /// Asks for an effect on the resource; it comes about through [`Work::touch`] if the lease still covers it.
    pub fn touch(&self) {
        self.tell(News::Touch { slot: self.slot, attempt: self.attempt });
    }

    /// Nobody listens any more when the process has ended, and then nothing is to be told.
    fn tell(&self, news: News) {
        let _ = self.news.send(news);
    }
}

/// What a worker process hears of its own tasks.
#[derive(Debug)]
pub(super) enum News {
    Answered { call: CallId, slot: usize, request: Arc<ServiceRequest>, outcome: Result<Value, CallError> },
    Progress { slot: usize, attempt: u32, kind: Text, data: Value },
    Touch { slot: usize, attempt: u32 },
    Finished { slot: usize, attempt: u32, result: Result<JobResult, Failure> },
}

pub(super) async fn run<W: Work>(work: Arc<W>, task: Task) {
    let result = work.run(task.clone()).await;
    task.tell(News::Finished { slot: task.slot, attempt: task.attempt, result });
}
