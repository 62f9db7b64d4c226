use super::TortureError;
use crate::policy;
use crate::tape::nanoseconds;
use holdover_jobs::{Answer, Policy};
use holdover_node::{JobService, SystemClock, draw_incarnation};
use holdover_store::Store;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// What a machine that is busy with something else may take on top, for each job that is left.
const WORK_MS: i64 = 60;

/// Brings every job to its end, and answers how long that took and how long it may.
pub(super) async fn drain<S: Store>(store: &Arc<S>) -> Result<(Duration, Duration), TortureError> {
    let policy = policy();
    let service = JobService::new(Arc::clone(&policy), Arc::clone(store), Arc::new(SystemClock::start()));
    let begun = nanoseconds();
    let (mut claims, incarnation) = (0_u64, draw_incarnation().0);
    let mut bound = None;
    loop {
        let Answer::Stats { queue, .. } = ask(&service, "stats", &json!({})).await? else {
            return Err(TortureError::Peace("stats were answered with something else".into()));
        };
        let active: u64 = active(&queue);
        let bound = *bound.get_or_insert_with(|| bound_of(&policy, active));
        let taken = Duration::from_nanos(u64::try_from(nanoseconds() - begun).unwrap_or(0));
        if active == 0 || taken > bound * 2 {
            return Ok((taken, bound));
        }
        ask(&service, "recoverExpired", &json!({ "limit": 100 })).await?;
        loop {
            claims += 1;
            let claim = json!({
                "workerId": "peace", "executors": ["aider"], "incarnation": incarnation, "claimNumber": claims,
            });
            let Answer::Claim(Some(view)) = ask(&service, "claim", &claim).await? else { break };
            let held = json!({
                "jobId": view.job.record.id().as_str(), "leaseToken": view.token.reveal(),
                "attempt": view.standing.attempt, "incarnation": incarnation,
            });
            ask(&service, "start", &held).await?;
            ask(&service, "complete", &held).await?;
        }
        sleep(Duration::from_millis(50)).await;
    }
}

fn active(queue: &holdover_jobs::QueueStats) -> u64 {
    let counted = holdover_jobs::Status::ALL.iter().zip(queue.counts);
    counted.filter(|(status, _)| status.is_active()).map(|(_, count)| count).sum()
}

/// A lease runs out, is recovered, and waits for the longest back-off; then it is work.
fn bound_of(policy: &Policy, active: u64) -> Duration {
    let settings = &policy.settings;
    let waits = settings.lease.ms() + settings.back_off_max.ms() + settings.cancel_grace.ms();
    let work = i64::try_from(active).unwrap_or(i64::MAX).saturating_mul(WORK_MS);
    Duration::from_millis((waits + work + 1_000).unsigned_abs())
}

async fn ask<S: Store>(
    service: &JobService<Arc<S>>,
    operation: &str,
    args: &Value,
) -> Result<Answer, TortureError> {
    let answered = service.call(operation, args).await;
    answered.map_err(|error| TortureError::Peace(format!("{operation}: {error}")))
}
