use holdover_sim::jobs::{Task, Tasks, Twist};
use holdover_sim_node::Client;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Creates a job at its time, reads it from time to time, and cancels it where the plan says so.
pub(crate) async fn look_after(
    client: Arc<Client>,
    tasks: Arc<Tasks>,
    job: u8,
    (create_ms, cancel_ms): (i64, Option<i64>),
) {
    let Some(task) = tasks.get(job, Twist::Plain) else { return };
    wait(create_ms).await;
    let _ = client.call("create", &create(task)).await;
    let id = task.job.as_str();
    if let Some(cancel_ms) = cancel_ms {
        wait(cancel_ms).await;
        let _ = client.call("cancel", &json!({ "jobId": id, "reason": "no longer wanted" })).await;
    }
    for _ in 0..4 {
        wait(3_000).await;
        let _ = client.call("getJob", &json!({ "jobId": id, "includeRequest": true })).await;
    }
}

/// The arguments of a job's create.
pub(crate) fn create(task: &Task) -> Value {
    let mut input: Value = serde_json::from_str(&task.body).expect("the body of a task is JSON");
    input["jobId"] = task.job.as_str().into();
    input["idempotencyKey"] = (*task.key).into();
    json!({ "input": input })
}

async fn wait(ms: i64) {
    sleep(Duration::from_millis(ms.unsigned_abs())).await;
}
