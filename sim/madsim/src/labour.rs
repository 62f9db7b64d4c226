use crate::tape::Tape;
use holdover::Rng;
use holdover_jobs::{JobError, JobResult};
use holdover_machine::Span;
use holdover_sim_node::{Failure, Task, Touch, Work};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Work that takes its time, by the seed: some of it fails, and most of it tells of its progress.
pub(crate) struct Labour {
    pub(crate) seed: u64,
    pub(crate) most_ms: u32,
    pub(crate) tape: Arc<Tape>,
}

impl Work for Labour {
    async fn run(&self, task: Task) -> Result<JobResult, Failure> {
        let job = task.job.as_str().bytes().fold(0, |sum, byte| sum << 8 | u64::from(byte));
        let mut rng = Rng::from_seed(self.seed ^ job << 16 ^ u64::from(task.attempt));
        let half = Duration::from_millis(u64::from(50 + rng.below(self.most_ms) / 2));
        sleep(half).await;
        task.progress("executor_job_half", Value::Null);
        task.touch();
        sleep(half).await;
        if rng.chance(1, 5) {
            let error = json!({ "code": "BUILD_BROKE", "retryable": rng.chance(3, 4) });
            let error = JobError::read(Some(&error)).expect("a valid error");
            return Err(Failure { error, delay: Span::from_ms(i64::from(rng.below(3_000))) });
        }
        let result = json!({ "summary": format!("by attempt {}", task.attempt) });
        Ok(JobResult::read(Some(&result)).expect("a valid result"))
    }

    fn touch(&self, touch: Touch) {
        self.tape.event(u64::from(touch.attempt));
    }
}
