//! What clients and workers ask, drawn from few names, so that most of it meets.

use crate::draws::Draws;
use serde_json::{Value, json};

/// Worker processes; each has its name, and its incarnation is its number.
pub(super) const WORKERS: u64 = 3;
/// Keys and ids that creates name.
const JOBS: u64 = 10;
const TEXTS: [&str; 4] = ["build", "наём", "\u{1F511} \u{0} ' \" \\ $1", "line\nline"];

/// The input of a create, most often one that was asked before.
pub(super) fn create(draws: &mut Draws) -> Value {
    let job = draws.below(JOBS);
    let twist = if draws.one_in(3) { draws.below(64) } else { 0 };
    let twisted = |bit: u64| twist >> bit & 1 == 1;
    let names = |kind: &str, number: u64| (number > 0).then(|| format!("{kind}{}", number - 1));
    let id = if twisted(0) { (job + 1) % JOBS } else { job };
    json!({
        "jobId": if twisted(1) { Value::Null } else { id_of(id).into() },
        "idempotencyKey": if twisted(2) { format!(" k{job}\u{FEFF}") } else { format!("k{job}") },
        "instruction": if twisted(3) { TEXTS[draws.below(4) as usize] } else { TEXTS[job as usize % 4] },
        "executor": match job % 5 { 4 => "goosed", 3 if twisted(4) => "unknown", _ => "aider" },
        "task": { "workspaceRef": { "id": "w" } },
        "subject": {
            "tenantId": names("t", (job + u64::from(twisted(5))) % 4), "userId": names("ü", job % 3),
        },
        "authorization": { "executionAllowed": true },
        "policy": { "sideEffectsAllowed": job != 7 || twist == 0 },
        "controls": {
            "maxAttempts": 1 + job % 3, "timeoutMs": 8_000 + 8_000 * job, "cancellationAllowed": job != 8,
        },
        "metadata": { "words": TEXTS, "ratio": 0.1, "none": null },
    })
}

/// Ids that differ in case alone, and in what a collation ranks otherwise than bytes.
fn id_of(job: u64) -> String {
    match job % 3 {
        0 => format!("j:{}", job / 3),
        1 => format!("J:{}", job / 3),
        _ => format!("j_{}", job / 3),
    }
}

/// A worker's operation and its data: few, so that some repeat the one before and some do not.
pub(super) fn work(draws: &mut Draws) -> (&'static str, Value) {
    let variant = draws.below(16);
    match draws.below(18) {
        0..=3 => ("start", json!({})),
        4..=7 => ("heartbeat", json!({ "leaseDurationMs": 5_000 + 10_000 * (variant % 3) })),
        8..=9 => ("progress", json!({ "type": "executor_job_progress", "data": [variant % 2, TEXTS[2]] })),
        10..=12 => ("complete", json!({ "result": { "outcome": format!("o{}", variant % 2) } })),
        13..=16 => {
            let delay = match variant / 2 % 4 {
                0 => 0,
                1 => 500,
                2 => 3_000,
                _ => 3_600_000,
            };
            let error = json!({ "code": format!("E{}", variant % 2), "retryable": variant % 8 != 7 });
            ("fail", json!({ "error": error, "retryDelayMs": delay }))
        }
        _ => ("acknowledge", json!({})),
    }
}
